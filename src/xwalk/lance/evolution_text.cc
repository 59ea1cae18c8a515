#include "xwalk/lance/evolution_text.h"

// Operations as people write them on the command line.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
#include "xwalk/hub/change_error.h"
#include "xwalk/lance/module.h"
#include "xwalk/lance/text.h"
#include "xwalk/lance/written.h"

namespace xwalk::lance {
namespace {

[[noreturn]] void usage(std::string message, std::string hint = {}) {
  throw Error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

constexpr std::string_view kSomeTypes =
    "Lance's types are bool, int8 to int64, uint8 to uint64, halffloat, float, double, string, "
    "binary, date32:day, timestamp:us:UTC, decimal:128:10:2, json and others (xwalk types --from "
    "lance).";

/// Returns the first position of a character outside back-quotes, or npos.
size_t find_outside_quotes(std::string_view text, char wanted) {
  bool inside = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') inside = !inside;
    if (!inside && text[i] == wanted) return i;
  }
  return std::string_view::npos;
}

std::vector<FieldPath> paths_of(std::string_view text) {
  std::vector<FieldPath> out;
  for (;;) {
    size_t comma = find_outside_quotes(text, ',');
    out.push_back(parse_field_path(trimmed(text.substr(0, comma))));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

struct Assignment {
  FieldPath path;
  std::string_view value;
};

Assignment assignment_of(std::string_view text, std::string_view value) {
  size_t equals = find_outside_quotes(text, '=');
  if (equals == std::string_view::npos || equals + 1 == text.size()) {
    usage(fmt::format("expected PATH={}, found {}", value, quoted(text)));
  }
  return {parse_field_path(trimmed(text.substr(0, equals))), trimmed(text.substr(equals + 1))};
}

/// Reads a type: a logical type alone, or a field of the text form around it.
Field field_of(std::string_view text, const std::string& name) {
  Field field;
  try {
    if (text.starts_with("Field")) {
      Schema schema = parse_text(text);
      if (schema.fields.size() != 1) usage("expected one field as type, found another number");
      field = std::move(schema.fields[0]);
    } else {
      set_logical_type(text, &field);
      bool item =
          field.type.kind() == Kind::FixedSizeList && field.type.element().kind() == Kind::Struct;
      if (node_kind(field.type) == "REPEATED" || item) {
        usage(fmt::format("expected the children of {}, found none", quoted(text)),
              "Write Field { type: \"list\" children: [ Field { name: \"item\" type: \"int8\" } ] "
              "}.");
      }
      field.encoding = default_encoding(field.type);
    }
  } catch (Error& error) {
    if (error.code() == ErrorCode::Usage) throw;
    if (text.starts_with("Field")) usage(error.message(), error.hint());
    usage(error.message(), error.hint().empty() ? std::string(kSomeTypes) : error.hint());
  }
  field.name = name;
  return field;
}

}  // namespace

Operation parse_operation(std::string_view word, std::string_view text) {
  if (word == "add" || word == "add-values") {
    auto [path, type] = assignment_of(text, "TYPE");
    AddField add;
    add.field = field_of(type, path.back());
    path.pop_back();
    add.parent = std::move(path);
    add.with_values = word == "add-values";
    return add;
  }
  if (word == "cast") {
    auto [path, type] = assignment_of(text, "TYPE");
    std::string name = path.back();
    return CastField{std::move(path), field_of(type, name)};
  }
  if (word == "rename") {
    auto [path, name] = assignment_of(text, "NAME");
    return RenameField{std::move(path), std::string(name)};
  }
  if (word == "drop") return DropField{parse_field_path(text)};
  if (word == "nullable") return SetNullable{parse_field_path(text), true};
  if (word == "not-null") return SetNullable{parse_field_path(text), false};
  if (word == "reorder") return ReorderFields{paths_of(text)};
  if (word == "primary-key") return SetPrimaryKey{paths_of(text)};
  if (word == "clustering-key") return SetClusteringKey{paths_of(text)};
  std::vector<std::string> names(std::begin(kOperationNames), std::end(kOperationNames));
  usage(fmt::format("expected an operation of {}, found {}", join(names, ", "), quoted(word)),
        did_you_mean(word, names));
}

hub::Evolved evolve(EvolutionState state, const std::vector<hub::SchemaChange>& changes) {
  const int32_t next_before = next_field_id(state);
  std::vector<hub::DataWork> work;
  for (const hub::SchemaChange& change : changes) {
    try {
      Evolution step = evolve(std::move(state), {parse_operation(change.word, change.text)});
      state = std::move(step.state);
      work.push_back(std::move(step.work.front()));
    } catch (const Error& error) {
      throw hub::in_change(change, error);
    }
  }
  hub::Evolved out;
  out.next_id = next_field_id(state);
  if (out.next_id != next_before) {
    out.higher_ids =
        "the new ids follow the highest of this schema: a dataset that gave higher ones goes on "
        "from those";
  }
  out.schema = {kModule, std::move(state.schema)};
  out.work = std::move(work);
  return out;
}

}  // namespace xwalk::lance
