#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/numbers.h"
#include "xwalk/cli/options.h"
#include "xwalk/cli/progress.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/facade.h"
#include "xwalk/convert/row_plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/formats/lance_rows.h"
#include "xwalk/io/formats/option_check.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/evolution_diff.h"
#include "xwalk/lance/evolution_text.h"
#include "xwalk/lance/module.h"

namespace xwalk::cli {
namespace {

struct EvolveOptions {
  io::OptionTokens tokens;
  io::StorageOptions storage;
  std::string input;
  std::string form;
  std::optional<std::string> since;
  /// Also counts the rows that changes end at or alter.
  bool rows = false;
  /// The arguments of each operation's option, in the order of the command line.
  std::map<std::string, std::vector<std::string>> operations;
};

bool is_dataset(const EvolveOptions& options) {
  return io::is_lance_dataset(options.input, options.storage);
}

/// Returns the state of a dataset.
lance::EvolutionState state_of_dataset(const EvolveOptions& options) {
  return io::read_lance_evolution_state(
      options.input, value_of(options.tokens, hub::Option::Version), options.storage);
}

/// Returns a schema that may be changed: that of a system without ids becomes Lance's.
hub::AnySchema changeable(const io::SchemaInput& input) {
  if (input.schema.system()->evolve != nullptr) return input.schema;
  return crosswalk::from_arrow(lance::kModule, input.hub).schema;
}

std::string work_text(const hub::DataWork& work) {
  if (work.checked_id)
    return fmt::format("reads the column of id {}, which must hold no null", *work.checked_id);
  if (work.metadata_only()) return "changes metadata only";
  return fmt::format("writes the columns of ids {}", fmt::join(work.written_ids, ", "));
}

/// The rows of a dataset that a change ends at or alters, of those that were read.
struct AffectedRows {
  uint64_t read = 0;
  uint64_t affected = 0;
  std::optional<uint64_t> first_row;
  std::string first;
};

std::string rows_text(const AffectedRows& rows) {
  const std::string of = counted(rows.read, "row");
  if (rows.affected == 0) return fmt::format("  no row of {} has such values", of);
  const std::string count = fmt::format("  {} of {}", grouped(rows.affected), of);
  if (!rows.first_row) return count;
  return fmt::format("{}; row {} is the first: {}", count, *rows.first_row, visible(rows.first));
}

/// Returns the path of the field of an id; empty if no field has it.
lance::FieldPath path_of_id(const std::vector<lance::Field>& fields, int32_t id) {
  for (const lance::Field& field : fields) {
    if (field.id == id) return {field.name};
    lance::FieldPath below = path_of_id(field.children, id);
    if (below.empty()) continue;
    below.insert(below.begin(), field.name);
    return below;
  }
  return {};
}

const lance::Field* field_at(const std::vector<lance::Field>& fields, const lance::FieldPath& path,
                             size_t depth = 0) {
  const auto found = std::ranges::find(fields, path.at(depth), &lance::Field::name);
  if (found == fields.end()) return nullptr;
  return depth + 1 == path.size() ? &*found : field_at(found->children, path, depth + 1);
}

/// Reads the rows that a change depends on. Empty if it depends on none, or on values that an
/// earlier change writes, since those do not exist yet.
std::optional<AffectedRows> affected_rows(const EvolveOptions& options, const lance::Schema& stored,
                                          const lance::Schema& before,
                                          const lance::Operation& operation,
                                          const hub::DataWork& work, Session& session) {
  const auto* cast = std::get_if<lance::CastField>(&operation);
  const auto* required = std::get_if<lance::SetNullable>(&operation);
  if (cast != nullptr ? work.findings.empty() : !work.checked_id) return std::nullopt;
  const lance::FieldPath& named = cast != nullptr ? cast->path : required->path;
  const lance::FieldPath path = path_of_id(stored.fields, field_at(before.fields, named)->id);
  if (path.empty()) return std::nullopt;
  // Only the column is read, with this change alone.
  io::Against against = lance::kModule;
  io::OptionTokens tokens = options.tokens;
  tokens[hub::Option::Select] = {Path::column(path[0]).text()};
  io::ConvertOptions convert = read_options(tokens);
  if (cast != nullptr) {
    lance::Schema type;
    type.fields = {cast->to};
    const std::string text = lance::kModule.type_text({lance::kModule, std::move(type)});
    convert.plan.casts.push_back({lance::path_of(path), false, text});
  } else {
    lance::Schema column = stored;
    std::erase_if(column.fields, [&](const lance::Field& field) { return field.name != path[0]; });
    lance::EvolutionState changed = lance::state_of_schema(std::move(column));
    changed = lance::evolve(std::move(changed), {lance::SetNullable{path, false}}).state;
    against = hub::AnySchema(lance::kModule, std::move(changed.schema));
  }
  ProgressLine line(session);
  show_work(&convert, line, session);
  convert.on_open = nullptr;
  const io::AnyReport found =
      io::check({options.input}, std::nullopt, against, {.rows = true}, std::move(convert));
  line.clear();
  for (const Error& error : found.errors()) throw error;
  const std::optional<report::Rows>& rows = found.checks().front()->rows;
  if (!rows) return std::nullopt;
  AffectedRows out{rows->read, rows->rejected, {}, {}};
  for (const report::PathRows& at : rows->paths) {
    if (!at.first_row || (out.first_row && *out.first_row <= *at.first_row)) continue;
    out.first_row = at.first_row;
    out.first = at.first;
  }
  return out;
}

Json to_json(const hub::DataWork& work, const std::optional<AffectedRows>& rows) {
  Json json = {{"written_ids", work.written_ids}};
  if (rows) {
    json["rows"] = {{"read", rows->read}, {"affected", rows->affected}};
    if (rows->first_row) {
      json["rows"]["first_row"] = *rows->first_row;
      json["rows"]["first"] = rows->first;
    }
  }
  if (work.checked_id) json["checked_id"] = *work.checked_id;
  for (const hub::Finding& finding : work.findings) {
    json["findings"].push_back({{"rule", finding.rule},
                                {"path", finding.path.text()},
                                {"values", hub::to_string(hub::values_after(finding.effect))},
                                {"lost", finding.lost},
                                {"example", finding.witness}});
  }
  return json;
}

std::string change_text(const hub::SchemaChange& change) {
  return fmt::format("{} {}", change.word, change.text);
}

std::string place_of(const lance::Change& change) {
  return lance::print_field_path(change.newer.empty() ? change.older : change.newer);
}

/// Prints how a version's schema differs from an older one's, by id.
int print_changes(const EvolveOptions& options, const lance::Schema& newer, Session& session) {
  lance::Schema older = io::read_lance_schema(options.input, options.since, options.storage);
  std::vector<lance::Change> changes = lance::diff(older, newer);
  if (session.json) {
    Json json = Json::array();
    for (const lance::Change& change : changes) {
      json.push_back({{"change", to_string(change.kind)},
                      {"path", place_of(change)},
                      {"id", change.id},
                      {"newer_id", change.newer_id},
                      {"from", change.from},
                      {"to", change.to}});
    }
    session.print(json_text(json) + "\n");
    return kDone;
  }
  for (const lance::Change& change : changes) {
    std::string ids = change.id == change.newer_id || change.newer_id < 0
                          ? fmt::format("id {}", change.id)
                          : fmt::format("id {} → {}", change.id, change.newer_id);
    std::string what = change.from.empty() || change.to.empty() ? change.from + change.to
                                                                : change.from + " → " + change.to;
    session.print(
        fmt::format("{:<12} {}  {}  ({})\n", to_string(change.kind), place_of(change), what, ids));
  }
  return kDone;
}

/// Returns the changes in the order of the command line.
std::vector<hub::SchemaChange> changes_of(const EvolveOptions& options,
                                          const CommandLine& command) {
  std::vector<hub::SchemaChange> out;
  std::map<std::string, size_t> taken;
  for (const Argument* option : command.given()) {
    std::string word = option->name();
    word.erase(0, word.find_first_not_of('-'));
    const auto values = options.operations.find(word);
    if (values == options.operations.end()) continue;
    out.push_back({word, values->second.at(taken[word]++)});
  }
  return out;
}

/// `rows` has an entry for each change, or none.
void print_evolved(const hub::Evolved& evolved, const std::vector<hub::SchemaChange>& changes,
                   const std::vector<std::optional<AffectedRows>>& rows,
                   const EvolveOptions& options, Session& session) {
  const auto rows_of = [&](size_t i) { return rows.empty() ? std::nullopt : rows[i]; };
  if (session.json) {
    Json json = {{"schema", Json::parse(crosswalk::print_schema(evolved.schema, "json"))},
                 {"next_id", evolved.next_id}};
    if (evolved.work) {
      json["operations"] = Json::array();
      for (size_t i = 0; i < changes.size(); ++i) {
        json["operations"].push_back({{"operation", change_text(changes[i])},
                                      {"work", to_json((*evolved.work)[i], rows_of(i))}});
      }
    }
    session.print(json_text(json) + "\n");
    return;
  }
  session.print(crosswalk::print_schema(evolved.schema, options.form));
  if (!evolved.work) return;
  for (size_t i = 0; i < changes.size(); ++i) {
    session.note(
        fmt::format("{}: {}", visible(change_text(changes[i])), work_text((*evolved.work)[i])));
    for (const hub::Finding& finding : (*evolved.work)[i].findings) {
      const std::string example =
          finding.witness.empty() ? "" : fmt::format(" (example: {})", finding.witness);
      session.note(fmt::format("  {}: {}{} ({})", visible(finding.path.text()),
                               visible(finding.lost), visible(example), finding.rule));
    }
    if (rows_of(i)) {
      session.note(rows_text(*rows_of(i)));
    } else if (!rows.empty() && !(*evolved.work)[i].findings.empty()) {
      session.note(
          "  the rows are not counted: all values change, or an earlier change writes them");
    }
  }
}

/// Returns for each change the rows that it ends at or alters.
std::vector<std::optional<AffectedRows>> rows_of_changes(
    const EvolveOptions& options, lance::EvolutionState state,
    const std::vector<hub::SchemaChange>& changes, Session& session) {
  const lance::Schema stored = state.schema;
  std::vector<std::optional<AffectedRows>> out;
  for (const hub::SchemaChange& change : changes) {
    const lance::Operation operation = lance::parse_operation(change.word, change.text);
    const lance::Schema before = state.schema;
    lance::Evolution step = lance::evolve(std::move(state), {operation});
    state = std::move(step.state);
    out.push_back(affected_rows(options, stored, before, operation, step.work.front(), session));
  }
  return out;
}

int run(EvolveOptions& options, const CommandLine& command, Session& session) {
  const std::vector<hub::SchemaChange> changes = changes_of(options, command);
  options.storage = side_options(options.tokens).storage;
  io::check_storage(options.storage, {options.input});
  if (is_dataset(options)) {
    lance::EvolutionState state = state_of_dataset(options);
    if (options.since) return print_changes(options, state.schema, session);
    const hub::Evolved evolved = lance::evolve(state, changes);
    std::vector<std::optional<AffectedRows>> rows;
    if (options.rows) rows = rows_of_changes(options, std::move(state), changes, session);
    print_evolved(evolved, changes, rows, options, session);
    return kDone;
  }
  const io::SchemaInput input =
      read_schema({options.input}, options.tokens, side_options(options.tokens), session);
  if (options.since || options.rows) {
    throw Error(ErrorCode::Usage,
                fmt::format("{}: expected a Lance dataset, found a schema of {}",
                            options.since ? "--since" : "--rows", input.schema.system()->name),
                {}, options.since ? "xwalk diff OLD NEW compares two schemas." : "");
  }
  const hub::AnySchema schema = changeable(input);
  const hub::Evolved evolved = schema.system()->evolve(schema, changes);
  print_evolved(evolved, changes, {}, options, session);
  if (!evolved.higher_ids.empty() && !session.json) session.note(evolved.higher_ids);
  return kDone;
}

}  // namespace

Verb evolve_verb() {
  return {
      "evolve",
      "prints a Lance or Iceberg schema after changes, with the field ids it assigns",
      "SCHEMA [--add PATH=TYPE] [--drop PATH] [--rename PATH=NAME] …",
      {{"xwalk evolve data.lance --cast price=double --rename ts=time", ""},
       {"xwalk evolve data.lance --add 'tags=Field { type: \"list\" children: [ Field { name: "
        "\"item\" type: \"string\" } ] }'",
        "a nested column"},
       {"xwalk evolve v3.metadata.json --cast id=long --drop note", "a table of Iceberg"},
       {"xwalk evolve data.lance --since 3", "what changed since version 3, by field id"}},
      "Changes apply in the order given. The table is not touched. The new schema goes to standard "
      "output, and what Lance would have to read or write to standard error. Iceberg never "
      "rewrites "
      "rows, and takes only changes that need no rewriting. Paths are names joined by dots; names "
      "with other characters belong in `back-quotes`.",
      [](CommandLine& command) -> Action {
        auto options = std::make_shared<EvolveOptions>();
        add_text(command, "SCHEMA", &options->input, "SCHEMA", "dataset or schema file")
            ->required();
        declare_option(command, hub::Option::Format, &options->tokens, "system of the schema");
        declare_option(command, hub::Option::Version, &options->tokens,
                       "version of the dataset: a number, a tag, a branch, or BRANCH:NUMBER")
            ->group("Input");
        declare_options(command, io::kEvolve, &options->tokens);
        add_text(command, "--form", &options->form, "FORM", "written form, such as text or json")
            ->group("Output");
        add_text(command, "--since", &options->since, "V",
                 "print what changed since version V instead")
            ->group("Output");
        add_flag(command, "--rows", &options->rows,
                 "also read the rows, and count those that a change ends at or alters")
            ->group("Output");
        auto operation = [&](const std::string& word, const std::string& placeholder,
                             const std::string& description) {
          command
              .add("--" + word, Argument::Takes::Each, placeholder, description,
                   [values = &options->operations[word]](const std::vector<std::string>& given) {
                     *values = given;
                   })
              ->group("Changes");
        };
        operation("add", "PATH=TYPE", "add a field that is null in every row");
        operation("add-values", "PATH=TYPE", "add a field whose values you write");
        operation("drop", "PATH", "drop a field and everything below it");
        operation("rename", "PATH=NAME", "rename a field");
        operation("reorder", "PATH,…", "move these fields to the front, in this order");
        operation("cast", "PATH=TYPE", "change a type within its family");
        operation("nullable", "PATH", "allow null");
        operation("not-null", "PATH", "forbid null");
        operation("primary-key", "PATH,…", "make these the primary key");
        operation("clustering-key", "PATH,…", "make these the unenforced clustering key");
        return [options, &command](Session& session) { return run(*options, command, session); };
      }};
}

}  // namespace xwalk::cli
