// A schema made of the input, and operations on it as text. Paths and operations are printed and
// parsed back. The result of an operation keeps the rules, has no repeated ids and writes the
// columns that it names. Operations one after the other equal all at once. A projection projects to
// itself.

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "fuzz/harness.h"
#include "fuzz/lance_random.h"
#include "xwalk/base/error.h"
#include "xwalk/lance/evolution.h"
#include "xwalk/lance/evolution_diff.h"
#include "xwalk/lance/evolution_text.h"
#include "xwalk/lance/validate.h"

namespace xwalk::fuzz {
namespace {

using lance::EvolutionState;
using lance::FieldPath;

bool is_valid(const lance::Schema& schema) {
  return std::ranges::none_of(lance::validate(schema), hub::is_violation);
}

/// Walks down to a field, as far as the input says.
FieldPath some_path(Choices* choices, const lance::Schema& schema) {
  FieldPath path;
  const std::vector<lance::Field>* fields = &schema.fields;
  for (uint8_t way = choices->byte(); !fields->empty(); way = choices->byte()) {
    const lance::Field& field = (*fields)[way % 16 % fields->size()];
    path.push_back(field.name);
    fields = &field.children;
    if (way < 128) break;
  }
  if (path.empty()) path.push_back("none");
  const std::string printed = lance::print_field_path(path);
  require(lance::parse_field_path(printed) == path, "a path is read as it is printed", printed);
  return path;
}

/// The text of a type: of a leaf, or a field of the text form.
std::string some_type(Choices* choices) {
  constexpr std::array<std::string_view, 8> kNested = {
      "struct",
      "Field { type: \"list\" children: [ Field { name: \"item\" type: \"int64\" } ] }",
      "Field { type: \"struct\" children: [ Field { name: \"k\" type: \"int8\" } ] }",
      "Field { type: \"large_list\" children: [ Field { name: \"item\" type: \"int8\" } ] }",
      "list",
      "Field { type: \"int8\" } Field { type: \"int8\" }",
      "Field { type: \"int7\" }",
      "fixed_size_list:struct:2"};
  const size_t which = choices->below(kLanceLeaves.size() + kNested.size());
  return std::string(which < kLanceLeaves.size() ? kLanceLeaves.at(which)
                                                 : kNested.at(which - kLanceLeaves.size()));
}

/// The text of an operation, mostly a valid one.
std::string some_text(Choices* choices, std::string_view word, const lance::Schema& schema) {
  FieldPath path = some_path(choices, schema);
  if (word.starts_with("add")) {
    const uint8_t where = choices->byte();
    if (where % 2 == 0) path.pop_back();
    path.push_back(where % 16 == 15 ? std::string(choices->text())
                                    : "new" + std::to_string(where % 8));
  }
  std::string text = lance::print_field_path(path);
  if (word.starts_with("add") || word == "cast") return text + " = " + some_type(choices);
  if (word == "rename") return text + "=" + std::string(kLanceNames.at(choices->below(8)));
  if (word == "reorder" || word.ends_with("key")) {
    for (size_t more = choices->below(3); more > 0; --more) {
      text += ", " + lance::print_field_path(some_path(choices, schema));
    }
  }
  return text;
}

void collect(const std::vector<lance::Field>& fields, std::set<int32_t>* ids) {
  for (const lance::Field& field : fields) {
    ids->insert(field.id);
    collect(field.children, ids);
  }
}

std::set<int32_t> ids_of(const lance::Schema& schema) {
  std::set<int32_t> ids;
  collect(schema.fields, &ids);
  return ids;
}

void check_step(const EvolutionState& before, const lance::Operation& operation,
                const lance::Evolution& after) {
  require(after.work.size() == 1);
  if (is_valid(before.schema)) require(is_valid(after.state.schema));
  const int32_t next = lance::next_field_id(before);
  const std::set<int32_t> old = ids_of(before.schema);
  const std::set<int32_t> now = ids_of(after.state.schema);
  for (const int32_t id : now) require(old.contains(id) || id >= next);
  for (const int32_t id : after.work[0].written_ids) {
    require(before.has_rows && now.contains(id) && id >= next);
    require(std::ranges::find(after.state.data_files.back(), id) !=
            after.state.data_files.back().end());
  }
  if (const auto* rename = std::get_if<lance::RenameField>(&operation)) {
    FieldPath back = rename->path;
    back.back() = rename->name;
    try {
      const auto again =
          lance::evolve(after.state, {lance::RenameField{back, rename->path.back()}});
      require(again.state.schema == before.schema);
    } catch (const Error&) {
      // The old name may be repeated.
      require(!is_valid(before.schema));
    }
  }
  require(lance::diff(before.schema, after.state.schema).empty() ==
              lance::diff(after.state.schema, before.schema).empty(),
          "what differs differs both ways", "");
}

/// Any text as a path or an operation: refused as the user's, or read as it is printed.
void check_words(Choices* choices) {
  const size_t which = choices->below(std::size(lance::kOperationNames) + 2);
  try {
    if (which == 0) {
      const FieldPath path = lance::parse_field_path(choices->rest());
      require(lance::parse_field_path(lance::print_field_path(path)) == path);
      return;
    }
    const bool is_word = which <= std::size(lance::kOperationNames);
    lance::parse_operation(is_word ? lance::kOperationNames[which - 1] : choices->text(),
                           choices->rest());
  } catch (const Error& error) {
    require(error.code() == ErrorCode::Usage, "words are the user's", error.describe());
  }
}

}  // namespace

void XWALK_FUZZ_RUN(std::string_view data) {
  const Allowance any;
  Choices choices(data);
  const uint8_t how = choices.byte();
  if (how % 8 == 7) return check_words(&choices);
  const EvolutionState start = [&] {
    EvolutionState state = lance::state_of_schema(lance_schema(&choices));
    state.has_rows = (how & 8) == 0;
    state.data_version = (how & 16) != 0 ? lance::DataVersion::V2_0 : lance::DataVersion::V2_2;
    if ((how & 32) != 0) state.max_allocated_id = 40;
    if (how == 0xff - 7) state.max_allocated_id = INT32_MAX;
    return state;
  }();

  EvolutionState state = start;
  std::vector<lance::Operation> taken;
  std::vector<std::vector<int32_t>> written;
  for (int steps = 0; steps < 6 && !choices.rest().empty(); ++steps) {
    const std::string_view word =
        lance::kOperationNames[choices.below(std::size(lance::kOperationNames))];
    const std::string text = some_text(&choices, word, state.schema);
    try {
      const lance::Operation operation = lance::parse_operation(word, text);
      lance::Evolution one = lance::evolve(state, {operation});
      check_step(state, operation, one);
      state = std::move(one.state);
      taken.push_back(operation);
      written.push_back(one.work[0].written_ids);
    } catch (const Error& error) {
      require(error.code() == ErrorCode::Usage || error.code() == ErrorCode::Unsupported,
              "an operation is taken or refused as the user's", error.describe());
    }
  }
  const lance::Evolution all = lance::evolve(start, taken);
  require(all.state.schema == state.schema && all.state.data_files == state.data_files);
  require(all.state.max_allocated_id == state.max_allocated_id && all.work.size() == taken.size());
  for (size_t i = 0; i < written.size(); ++i) require(all.work[i].written_ids == written[i]);
}

}  // namespace xwalk::fuzz
