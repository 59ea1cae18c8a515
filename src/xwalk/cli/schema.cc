#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/base64.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/planning.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/io/sink.h"
#include "xwalk/parquet/explain.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions rows;
  std::string input;
  std::optional<std::string> to;
  std::string form;
  std::optional<std::string> output;
  bool explain = false;
};

int run(const Options& options, Session& session) {
  using crosswalk::System;
  std::optional<System> target;
  if (options.to) target = system_argument("--to", *options.to);
  const bool own_words = !target && !options.explain;
  SchemaInput input = read_schema_input(options.input, options.rows, session,
                                        own_words ? Meaning::IfAny : Meaning::Needed);

  if (options.explain) {
    const auto* parquet = std::get_if<parquet::Schema>(&input.schema);
    if (parquet == nullptr) {
      throw Error(ErrorCode::Usage,
                  fmt::format("--explain says which rule gave a Parquet column its meaning; this "
                              "is a schema of {}",
                              crosswalk::to_string(input.system)));
    }
    session.print(parquet::to_string(parquet::explain(*parquet)));
    return kDone;
  }
  crosswalk::AnySchema schema = input.schema;
  std::string summary;
  if (target && *target != input.system) {
    crosswalk::Plan plan = crosswalk::plan(input.system, input.hub, *target);
    schema = plan.target;
    summary = crosswalk::summary(plan);
    if (plan.verdict() > hub::Verdict::Annotated) {
      session.note(fmt::format("{}  (xwalk check {} --to {} says why)", summary, options.input,
                               *options.to));
    }
  }
  std::string text = crosswalk::print_schema(schema, options.form);
  if (options.output && *options.output != "-") {
    io::write_file(*options.output, text);
    return kDone;
  }
  if (session.json) {
    nlohmann::ordered_json out;
    out["system"] = crosswalk::to_string(crosswalk::system_of(schema));
    if (is_valid_utf8(text)) {
      out["schema"] = text;
    } else {
      out["schema_base64"] = to_base64(text);
    }
    if (!summary.empty()) out["summary"] = summary;
    text = out.dump(2) + "\n";
  }
  session.print(text);
  return kDone;
}

}  // namespace

Verb schema_verb() {
  return {
      "schema",
      "prints the schema of a file in any system's words",
      "IN [--from F] [--to F] [--form FORM] [-o FILE]",
      {{"xwalk schema flights.parquet --to yt", "the table schema to create"},
       {"xwalk schema flights.parquet --to yt --form commands", "ready yt command lines"},
       {"xwalk schema table.schema --from yt --to vortex", "a schema file works as well"},
       {"xwalk schema data.lance", "in its own words"}},
      "IN is a data file, a Lance dataset, a schema file in any form, or -.\n"
      "Forms: yt yson yson-binary json short commands; skiff yson short; parquet message "
      "thrift; lance text protobuf json; vortex text flatbuffers protobuf json; arrow text ipc.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "IN", &options->input, "IN", "data file, schema file or -")->required();
        add_text(app, "--to", &options->to, "F", "system to print it for; else its own")
            ->group("Output");
        add_text(app, "--form", &options->form, "FORM", "written form, see below")->group("Output");
        add_text(app, "-o,--output", &options->output, "FILE", "write it to a file")
            ->group("Output");
        add_flag(app, "--explain", &options->explain,
                 "which rule gave each Parquet column its meaning")
            ->group("Output");
        declare_input(app, &options->rows);
        return [options](Session& session) { return run(*options, session); };
      }};
}

}  // namespace xwalk::cli
