#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/schema_memory.h"
#include "xwalk/base/shortened.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/verb.h"
#include "xwalk/cli/written_schema.h"
#include "xwalk/convert/check_options.h"
#include "xwalk/convert/convert_options.h"
#include "xwalk/crosswalk/consent.h"
#include "xwalk/crosswalk/target_rules.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/bytes/side_schema.h"
#include "xwalk/io/bytes/sink.h"
#include "xwalk/io/formats/inferred.h"
#include "xwalk/io/formats/lance_rows.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/parquet/explain.h"
#include "xwalk/report/report.h"

namespace xwalk::cli {
namespace {

struct SchemaOptions {
  io::OptionTokens tokens;
  crosswalk::PlanOptions plan;
  std::vector<std::string> inputs;
  std::optional<std::string> to;
  std::string form;
  std::optional<std::string> output;
  bool explain = false;
  bool versions = false;
  bool save = false;
};

/// Lists the versions of a Lance dataset, oldest first.
int print_versions(const std::string& dataset, const io::StorageOptions& storage,
                   Session& session) {
  Json list = Json::array();
  std::string text;
  for (const lance::Version& version : io::lance_versions(dataset, storage)) {
    const lance::Manifest manifest = io::read_lance_manifest(dataset, version.number, storage);
    list.push_back({{"version", version.number},
                    {"columns", manifest.schema.fields.size()},
                    {"data_version", manifest.data_version},
                    {"writer", manifest.writer}});
    text += fmt::format("{}  {}  data files {}  by {}\n", version.number,
                        counted(manifest.schema.fields.size(), "column"), manifest.data_version,
                        manifest.writer.empty() ? "an unnamed writer" : manifest.writer);
  }
  session.print(session.json ? json_text(list) + "\n" : text);
  return kDone;
}

/// Says what YQL keeps of a table otherwise than its schema.
void tell_differences(const crosswalk::AnySchema& schema, Session& session) {
  const auto* table = schema.get_if<yt::TableSchema>();
  if (table == nullptr) return;
  for (const yt::RowSpecDifference& differs : table->row_spec_differences) {
    session.note(visible(fmt::format("{}{}{} (row-spec.differs)", differs.column,
                                     differs.column.empty() ? "" : ": ", differs.text)));
  }
}

/// Returns the options that name what a schema is for.
std::set<hub::Option> versions_given(const crosswalk::PlanOptions& plan) {
  std::set<hub::Option> given;
  if (plan.cluster) given.insert(hub::Option::ClusterVersion);
  if (plan.lance_version) given.insert(hub::Option::LanceVersion);
  if (plan.vortex_edition) given.insert(hub::Option::VortexEdition);
  return given;
}

/// Says what the cluster or the files that a schema is for would refuse of it, and whether they
/// would.
bool tell_what_is_lacking(const crosswalk::AnySchema& schema, const crosswalk::PlanOptions& plan,
                          Session& session) {
  if (versions_given(plan).empty()) return false;
  bool refused = false;
  for (const hub::Finding& found : crosswalk::lacking(schema, plan)) {
    const std::string where = found.path.empty() ? "" : shortened_path(found.path.text()) + ": ";
    const std::string what =
        hub::spelled(fmt::format("{}; {}", found.lost, found.hint), hub::Interface::Program);
    session.note(visible(fmt::format("{}{} ({})", where, shortened(what), found.rule)));
    refused |= found.effect != hub::Effect::None;
  }
  return refused;
}

/// Returns the text to print for the schema of a table, and sets whether its target lacks any part
/// of it.
std::string text_of(const SchemaOptions& options, const io::InputTable& table,
                    std::optional<crosswalk::System> target, bool* lacks, Session& session) {
  const io::SchemaInput& input = table.schema;
  if (options.explain) {
    const auto* parquet = input.schema.get_if<parquet::Schema>();
    if (parquet == nullptr) {
      throw Error(ErrorCode::Usage,
                  fmt::format("--explain is for Parquet schemas, found a schema of {}",
                              input.system->name));
    }
    return parquet::to_string(parquet::explain(*parquet));
  }
  crosswalk::AnySchema schema = input.schema;
  std::string summary;
  const bool shaped = !options.plan.rename.empty() || !options.plan.casts.empty();
  if (shaped || (target && *target != input.system)) {
    crosswalk::Plan plan =
        crosswalk::plan(input.system, input.hub, target.value_or(input.system), options.plan);
    crosswalk::require_all_columns(plan);
    schema = plan.target;
    summary = report::summary(plan);
    if (!session.json && plan.verdict() > hub::Verdict::Annotated) {
      session.note(fmt::format("{}  (xwalk check {} --to {} says why)", visible(summary),
                               visible(table.name), plan.target_system->name));
    }
  }
  tell_differences(input.schema, session);
  *lacks = tell_what_is_lacking(schema, options.plan, session) || *lacks;
  for (const std::string& lost : crosswalk::lost_in_form(schema, options.form)) {
    session.note("note: " + visible(lost));
  }
  return written_schema(schema, options.form, session.json, summary);
}

/// Throws Error (Usage) if the schemas of a system have no such form.
void require_form(crosswalk::System system, const std::string& form) {
  static_cast<void>(crosswalk::is_binary_form(system, form));
}

/// Prints the schemas of several tables, each after its name.
int print_tables(const SchemaOptions& options, const io::InputTables& found,
                 std::optional<crosswalk::System> target, Session& session) {
  if (options.output && *options.output != "-") {
    throw Error(ErrorCode::Usage,
                fmt::format("-o is for one schema, found {} tables", found.tables.size()), {},
                "Name one of them, or read them as one with --unify.");
  }
  bool lacks = false;
  Json tables = Json::array();
  for (const io::InputTable& table : found.tables) {
    const std::string text = text_of(options, table, target, &lacks, session);
    if (session.json) {
      tables.push_back({{"input", table.name}, {"schema", Json::parse(text)}});
      continue;
    }
    session.print(visible(table.name) + ":\n");
    session.print(session.out().is_terminal() ? harmless(text, false) : text);
  }
  if (session.json) {
    session.print(
        json_text({{"tables", std::move(tables)}, {"problems", problems_json(found.problems)}}) +
        "\n");
  } else {
    tell_problems(found.problems, session);
  }
  return worst_code(found.errors, lacks || !found.problems.empty());
}

int run(SchemaOptions& options, Session& session) {
  using crosswalk::System;
  if (options.versions) {
    const io::StorageOptions storage = input_options(options.tokens).storage;
    io::check_storage(storage, options.inputs);
    return print_versions(options.inputs.front(), storage, session);
  }
  std::optional<System> target;
  if (options.to) target = system_argument("--to", *options.to);
  if (target) require_form(*target, options.form);
  const bool own_notation = !target && !options.explain;
  io::ConvertOptions read = read_options(options.tokens);
  options.plan = std::move(read.plan);
  io::InputOptions reading = std::move(read.input);
  io::ConvertOptions written;
  written.given = versions_given(options.plan);
  for (const hub::Option option : written.given) reading.given.erase(option);
  if (options.save) {
    if (options.inputs.size() != 1 || options.inputs.front() == "-" || reading.save_schema) {
      throw Error(ErrorCode::Usage, "expected the path of one file of rows for --save", {},
                  "Use --save-schema FILE for other inputs.");
    }
    reading.save_schema = io::side_schema_path(options.inputs.front());
    reading.given.insert(hub::Option::SaveSchema);
  }
  prepare_for(options.inputs);
  io::InputTables found = io::read_tables(options.inputs, source_system(options.tokens), reading,
                                          own_notation ? io::Meaning::IfAny : io::Meaning::Needed);
  found.forget_differences();
  const SchemaMemoryScope scope(reading.max_memory);
  for (const io::InputTable& table : found.tables) {
    require_form(target.value_or(table.schema.system), options.form);
    tell_schema(table.paths.front(), table.schema,
                own_notation ? Inferred::InOutput : Inferred::InNote, session);
    io::ConvertOptions own = written;
    io::check_output_options(io::formats_of(target.value_or(table.schema.system)), &own);
  }
  if (!found.is_one()) return print_tables(options, found, target, session);
  bool lacks = false;
  const std::string text = text_of(options, found.tables.front(), target, &lacks, session);
  if (options.output && *options.output != "-") {
    io::write_file(*options.output, text);
  } else {
    session.print(session.out().is_terminal() && !options.explain ? harmless(text, false) : text);
  }
  return lacks ? kFound : kDone;
}

std::string all_forms() {
  std::vector<std::string> out;
  for (const crosswalk::System system : crosswalk::systems()) {
    out.push_back(fmt::format("{} {}", system->name, join(crosswalk::form_names(system), " ")));
  }
  return join(out, "; ");
}

}  // namespace

Verb schema_verb() {
  return {
      "schema",
      "prints the schema of a file in any system's syntax",
      "IN... [--from F] [--to F] [--form FORM] [-o FILE]",
      {{"xwalk schema flights.parquet --to yt", "the table schema to create"},
       {"xwalk schema flights.parquet --to yt --form commands", "yt commands, ready to paste"},
       {"xwalk schema table.schema --from yt --to vortex", "a schema file works as well"},
       {"xwalk schema data.lance --versions", "and --version N for one of them"}},
      "IN is a data file, a Lance dataset, a schema file in any form, or -.\nForms: " +
          all_forms() + ".",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<SchemaOptions>();
        add_rest(command, "IN", &options->inputs, "data files, a folder, a schema file, a URI or -")
            ->required();
        add_text(command, "--to", &options->to, "F", "system to print it for (default: its own)")
            ->group("Output");
        add_text(command, "--form", &options->form, "FORM", "written form, listed below")
            ->group("Output");
        add_text(command, "-o,--output", &options->output, "FILE", "write to this file")
            ->group("Output");
        add_flag(command, "--save", &options->save,
                 "save the schema of YSON or JSON rows next to them, as IN.schema")
            ->group("Output");
        add_flag(command, "--explain", &options->explain,
                 "show which rule gave each column its type")
            ->group("Parquet");
        add_flag(command, "--versions", &options->versions,
                 "list the versions of the dataset instead")
            ->group("Lance");
        declare_options(command, io::kSchema, &options->tokens);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
