#include <map>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/cli/inputs.h"
#include "xwalk/cli/json_text.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/lance_rows.h"
#include "xwalk/io/taken_options.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/evolution_diff.h"
#include "xwalk/lance/evolution_text.h"
#include "xwalk/lance/json.h"
#include "xwalk/lance/room.h"

namespace xwalk::cli {
namespace {

struct Options {
  RowOptions rows;
  std::string input;
  std::string form;
  std::optional<int64_t> since;
  /// What stands behind each operation's option, in the order of the command line.
  std::map<std::string, std::vector<std::string>> operations;
};

/// Returns the state of a dataset, or of a schema alone.
lance::EvolutionState state_of(const Options& options, Session& session) {
  std::optional<uint64_t> version;
  if (options.rows.version) version = static_cast<uint64_t>(*options.rows.version);
  io::check_storage(options.rows.storage, {&options.input, 1});
  if (io::is_lance_dataset(options.input, options.rows.storage)) {
    return io::read_lance_evolution_state(options.input, version, options.rows.storage);
  }
  const io::SchemaInput input = read_schema({options.input}, options.rows, session);
  if (const auto* schema = input.schema.get_if<lance::Schema>()) {
    return lance::state_of_schema(*schema);
  }
  return lance::state_of_schema(
      crosswalk::from_arrow(lance::kRoom, input.hub).schema.as<lance::Schema>());
}

std::string words_of(const lance::DataWork& work) {
  if (work.checked_id)
    return fmt::format("reads the column of id {}, which must hold no null", *work.checked_id);
  if (work.metadata_only()) return "changes metadata only";
  return fmt::format("writes the columns of ids {}", fmt::join(work.written_ids, ", "));
}

nlohmann::ordered_json to_json(const lance::DataWork& work) {
  nlohmann::ordered_json json = {{"written_ids", work.written_ids}};
  if (work.checked_id) json["checked_id"] = *work.checked_id;
  return json;
}

std::string place_of(const lance::Change& change) {
  return lance::print_field_path(change.newer.empty() ? change.older : change.newer);
}

/// Prints how a version's schema differs from an older one's, by id.
int print_changes(const Options& options, const lance::Schema& newer, Session& session) {
  lance::Schema older = io::read_lance_schema(options.input, static_cast<uint64_t>(*options.since),
                                              options.rows.storage);
  std::vector<lance::Change> changes = lance::diff(older, newer);
  if (session.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
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

int run(const Options& options, const CLI::App& app, Session& session) {
  lance::EvolutionState state = state_of(options, session);
  if (options.since) return print_changes(options, state.schema, session);

  std::vector<std::string> told;
  std::vector<lance::Operation> operations;
  std::map<std::string, size_t> taken;
  for (const CLI::Option* option : app.parse_order()) {
    std::string word = option->get_name();
    word.erase(0, word.find_first_not_of('-'));
    auto values = options.operations.find(word);
    if (values == options.operations.end()) continue;
    const std::string& text = values->second.at(taken[word]++);
    told.push_back(fmt::format("{} {}", word, text));
    operations.push_back(lance::parse_operation(word, text));
  }
  const int32_t next_before = lance::next_field_id(state);
  lance::Evolution evolution = lance::evolve(std::move(state), operations);
  if (session.json) {
    nlohmann::ordered_json json = {
        {"schema", nlohmann::ordered_json::parse(lance::write_json(evolution.state.schema))},
        {"next_id", lance::next_field_id(evolution.state)},
        {"operations", nlohmann::ordered_json::array()}};
    for (size_t i = 0; i < told.size(); ++i) {
      json["operations"].push_back({{"operation", told[i]}, {"work", to_json(evolution.work[i])}});
    }
    session.print(json_text(json) + "\n");
    return kDone;
  }
  session.print(crosswalk::print_schema({lance::kRoom, evolution.state.schema}, options.form));
  for (size_t i = 0; i < told.size(); ++i) {
    session.note(fmt::format("{}: {}", visible(told[i]), words_of(evolution.work[i])));
  }
  if (lance::next_field_id(evolution.state) != next_before &&
      !io::is_lance_dataset(options.input, options.rows.storage)) {
    session.note(
        "the new ids follow the highest of this schema: a dataset that gave higher ones goes on "
        "from those");
  }
  return kDone;
}

}  // namespace

Verb evolve_verb() {
  return {
      "evolve",
      "prints a Lance schema after changes, with the field ids that Lance assigns",
      "SCHEMA [--add PATH=TYPE] [--drop PATH] [--rename PATH=NAME] …",
      {{"xwalk evolve data.lance --cast price=double --rename ts=time", ""},
       {"xwalk evolve data.lance --add 'tags=Field { type: \"list\" children: [ Field { name: "
        "\"item\" type: \"string\" } ] }'",
        "a nested column"},
       {"xwalk evolve data.lance --since 3", "what changed since version 3, by field id"}},
      "Changes apply in the order given; the dataset is not touched. The new schema goes to "
      "standard "
      "output, and what Lance would have to read or write to standard error. Paths are names "
      "joined "
      "by dots; names with other characters belong in `back-quotes`.",
      [](CLI::App& app) -> Action {
        auto options = std::make_shared<Options>();
        add_text(app, "SCHEMA", &options->input, "SCHEMA", "dataset or schema file")->required();
        add_text(app, "--from", &options->rows.from, "F", "system of the schema")->group("Input");
        add_number(app, "--version", &options->rows.version, 1, "N", "version of the dataset")
            ->group("Input");
        declare_storage(app, &options->rows);
        add_text(app, "--form", &options->form, "FORM", "written form: text, protobuf, json")
            ->group("Output");
        add_number(app, "--since", &options->since, 1, "N",
                   "print what changed since version N instead")
            ->group("Output");
        auto operation = [&](const std::string& word, const std::string& placeholder,
                             const std::string& description) {
          app.add_option("--" + word, options->operations[word], description)
              ->type_name(placeholder)
              ->expected(1)
              ->allow_extra_args(false)
              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
              ->group("Changes");
        };
        operation("add", "PATH=TYPE", "add a field that is null in every row");
        operation("add-values", "PATH=TYPE", "add a field whose values you write");
        operation("drop", "PATH", "drop a field and everything below it");
        operation("rename", "PATH=NAME", "rename a field");
        operation("reorder", "PATH,…", "move these fields to the front, in this order");
        operation("cast", "PATH=TYPE", "change a type within its family; assigns new ids");
        operation("nullable", "PATH", "allow null");
        operation("not-null", "PATH", "forbid null");
        operation("primary-key", "PATH,…", "make these the unenforced primary key");
        operation("clustering-key", "PATH,…", "make these the unenforced clustering key");
        return [options, &app](Session& session) { return run(*options, app, session); };
      }};
}

}  // namespace xwalk::cli
