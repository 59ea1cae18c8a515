#include "xwalk/iceberg/evolution.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/change_error.h"
#include "xwalk/iceberg/text.h"
#include "xwalk/iceberg/validate.h"
#include "xwalk/lance/field_path.h"

namespace xwalk::iceberg {
namespace {

// Paths are written as those of Lance are: names joined by dots, back-quotes around odd ones. What
// is below a list or a map may also be written as reports do: `[]`, `{key}`, `{value}`.
using lance::FieldPath;

FieldPath parse_path(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSteps = {
      {{"[]", kElement}, {"{key}", kKey}, {"{value}", kValue}}};
  std::string names;
  bool in_quotes = false;
  while (!text.empty()) {
    const auto* const step = std::ranges::find_if(
        kSteps, [&](const auto& one) { return !in_quotes && text.starts_with(one.first); });
    if (step != kSteps.end()) {
      names.append(".").append(step->second);
      text.remove_prefix(step->first.size());
      continue;
    }
    in_quotes ^= text.front() == '`';
    names += text.front();
    text.remove_prefix(1);
  }
  return lance::parse_field_path(names);
}

/// A field, and the list that contains it.
struct Found {
  std::vector<Field>* list;
  size_t index;
  Path path;

  Field& field() const { return (*list)[index]; }
};

/// Ids in the text of a type, or of another schema, are not those of the table.
void drop_ids(Type& type) {
  for (Field& child : type.children) {
    child.id = 0;
    drop_ids(child.type);
  }
}

/// Adds a field to a list of a schema, with new ids.
void add_new(Field field, std::vector<Field>* list, Schema* schema) {
  field.id = 0;
  drop_ids(field.type);
  list->push_back(std::move(field));
  assign_ids(schema);
  schema->last_column_id = last_id(*schema);
}

class Table {
 public:
  explicit Table(Schema schema) : schema_(std::move(schema)) {}

  void apply(const Change& change) {
    const auto& [word, text] = change;
    if (word == "add") return add(split(change));
    if (word == "cast") return cast(split(change));
    if (word == "rename") return rename(split(change));
    if (word == "drop") return drop(parse_path(text));
    if (word == "reorder") return reorder(paths(text));
    if (word == "primary-key") return identify(paths(text));
    if (word == "nullable") {
      require_not_key(at(parse_path(text))).required = false;
      return;
    }
    if (word == "not-null") {
      const Found found = at(parse_path(text));
      if (!found.field().required) {
        refuse(found.path, "expected an optional field to stay so: rows may hold nulls");
      }
      return;
    }
    std::vector<std::string> operations(std::begin(kChangeNames), std::end(kChangeNames));
    throw Error(ErrorCode::Usage,
                fmt::format("expected a change that Iceberg knows, found {}", quoted(word)), {},
                did_you_mean(word, operations));
  }

  Schema take() {
    for (const hub::Finding& finding : validate(schema_)) {
      if (hub::is_violation(finding)) refuse(finding.path, "this would be " + finding.lost);
    }
    return std::move(schema_);
  }

 private:
  struct Halves {
    FieldPath path;
    std::string text;
  };

  [[noreturn]] static void refuse(const Path& path, std::string message) {
    throw Error(ErrorCode::Unsupported, std::move(message), {.path = path});
  }

  static Halves split(const Change& change) {
    const size_t sign = change.text.find('=');
    if (sign == std::string::npos) {
      throw Error(ErrorCode::Usage,
                  fmt::format("expected PATH={}, found {}",
                              change.word == "rename" ? "NAME" : "TYPE", quoted(change.text)));
    }
    return {parse_path(std::string_view(change.text).substr(0, sign)),
            change.text.substr(sign + 1)};
  }

  static std::vector<FieldPath> paths(std::string_view text) {
    std::vector<FieldPath> out;
    while (!text.empty()) {
      const size_t comma = std::min(text.find(','), text.size());
      out.push_back(parse_path(text.substr(0, comma)));
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return out;
  }

  /// Finds a field by its names; `element`, `key` and `value` lead below lists and maps.
  Found at(const FieldPath& names) {
    Found found{&schema_.fields, 0, Path()};
    bool in_key = false;
    for (size_t i = 0; i < names.size(); ++i) {
      Kind above = Kind::Struct;
      if (i > 0) {
        Type& type = found.field().type;
        above = type.kind;
        in_key |= above == Kind::Map && names[i] == kKey;
        found.list = &type.children;
      }
      const auto field = std::ranges::find(*found.list, names[i], &Field::name);
      if (field == found.list->end()) throw no_such(names, *found.list, names[i]);
      found.index = static_cast<size_t>(field - found.list->begin());
      found.path = i == 0 ? Path::column(names[i]) : path_below(found.path, above, names[i]);
    }
    if (in_key) refuse(found.path, "expected the key of a map to stay as it is");
    return found;
  }

  static Path path_below(const Path& path, Kind above, const std::string& name) {
    if (above == Kind::List) return path.item();
    if (above != Kind::Map) return path.field(name);
    return name == kKey ? path.map_key() : path.map_value();
  }

  static Error no_such(const FieldPath& names, const std::vector<Field>& list,
                       const std::string& name) {
    std::vector<std::string> candidates;
    for (const Field& field : list) candidates.push_back(field.name);
    return {ErrorCode::Usage,
            fmt::format("no field {}", quoted(lance::print_field_path(names))),
            {},
            did_you_mean(name, candidates)};
  }

  Field& require_not_key(const Found& found) {
    const auto& ids = schema_.identifier_field_ids;
    if (std::ranges::find(ids, found.field().id) != ids.end()) {
      refuse(found.path, "expected an identifier field to stay required");
    }
    return found.field();
  }

  /// Refuses to drop a field by which the table is partitioned or sorted, or one that has it below.
  void require_no_source(const Field& field, const Path& path) const {
    if (std::ranges::find(schema_.source_ids, field.id) != schema_.source_ids.end()) {
      refuse(path, "expected a field by which the table is neither partitioned nor sorted");
    }
    for (const Field& below : field.type.children) require_no_source(below, path);
  }

  void add(Halves halves) {
    const std::string name = halves.path.back();
    halves.path.pop_back();
    std::vector<Field>* list = &schema_.fields;
    if (!halves.path.empty()) {
      const Found parent = at(halves.path);
      if (parent.field().type.kind != Kind::Struct) {
        refuse(parent.path, fmt::format("expected a struct to add to, found {}",
                                        print_type_text(parent.field().type)));
      }
      list = &parent.field().type.children;
    }
    add_new({.name = name, .type = parse_type_text(halves.text)}, list, &schema_);
  }

  void cast(const Halves& halves) {
    const Found found = at(halves.path);
    const Type to = parse_type_text(halves.text);
    Type& from = found.field().type;
    if (is_nested(from.kind) || is_nested(to.kind) || promotes_since(from, to) == 0) {
      refuse(found.path, fmt::format("{} → {} is not a promotion that Iceberg allows",
                                     print_type_text(from), print_type_text(to)));
    }
    // The specification has these, but its Java software has not.
    const bool is_new = from.kind == Kind::Unknown || from.kind == Kind::Date;
    if (is_new && from.kind != to.kind) {
      refuse(found.path, fmt::format("{} → {} is a promotion of the specification that Iceberg's "
                                     "Java 1.12.0 refuses",
                                     print_type_text(from), print_type_text(to)));
    }
    const int since = promotes_since(from, to);
    if (schema_.format_version != 0 && schema_.format_version < since) {
      refuse(found.path, fmt::format("{} → {} is a promotion of table format {} and later, and the "
                                     "table has format {}",
                                     print_type_text(from), print_type_text(to), since,
                                     schema_.format_version));
    }
    from = to;
  }

  void rename(const Halves& halves) {
    const Found found = at(halves.path);
    const bool of_struct =
        halves.path.size() == 1 ||
        at({halves.path.begin(), halves.path.end() - 1}).field().type.kind == Kind::Struct;
    if (!of_struct) refuse(found.path, "expected a member of a struct: this name is the format's");
    found.field().name = halves.text;
  }

  void drop(const FieldPath& names) {
    const Found found = at(names);
    if (names.size() > 1 &&
        at({names.begin(), names.end() - 1}).field().type.kind != Kind::Struct) {
      refuse(found.path, "expected a member of a struct: lists and maps keep what they are of");
    }
    require_not_key(found);
    require_no_source(found.field(), found.path);
    // Its id is given, and not given again.
    schema_.last_column_id = last_id(schema_);
    found.list->erase(found.list->begin() + static_cast<std::ptrdiff_t>(found.index));
  }

  void reorder(const std::vector<FieldPath>& wanted) {
    size_t place = 0;
    std::vector<Field>* list = nullptr;
    for (const FieldPath& names : wanted) {
      const Found found = at(names);
      if (list != nullptr && list != found.list) {
        refuse(found.path, "expected fields of one struct");
      }
      list = found.list;
      if (found.index < place) refuse(found.path, "expected a field once");
      const auto first = list->begin() + static_cast<std::ptrdiff_t>(place++);
      const auto moved = list->begin() + static_cast<std::ptrdiff_t>(found.index);
      std::rotate(first, moved, moved + 1);
    }
  }

  void identify(const std::vector<FieldPath>& wanted) {
    schema_.identifier_field_ids.clear();
    for (const FieldPath& names : wanted) {
      schema_.identifier_field_ids.push_back(at(names).field().id);
    }
  }

  Schema schema_;
};

}  // namespace

Schema evolve(Schema schema, const std::vector<Change>& changes) {
  Table table(std::move(schema));
  for (const Change& change : changes) {
    try {
      table.apply(change);
    } catch (const Error& error) {
      throw hub::in_change(change, error);
    }
  }
  return table.take();
}

Schema add_columns(Schema schema, std::vector<Field> columns) {
  for (Field& column : columns) add_new(std::move(column), &schema.fields, &schema);
  return schema;
}

}  // namespace xwalk::iceberg
