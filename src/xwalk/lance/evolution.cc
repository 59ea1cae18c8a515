#include "xwalk/lance/evolution.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/validate.h"

namespace xwalk::lance {
namespace {

/// Marks a column in a file's list that moved to a newer file.
constexpr int32_t kTombstone = -2;

[[noreturn]] void refuse(const std::string& message, const FieldPath& path, std::string hint = {}) {
  Place place;
  for (size_t i = 0; i < path.size(); ++i) {
    place.path = i == 0 ? Path::column(path[i]) : place.path.field(path[i]);
  }
  throw Error(ErrorCode::Unsupported, message, place, std::move(hint));
}

/// Returns the list that holds the field of a path, and its place there. `parents`, if given, takes
/// the fields above it.
struct Found {
  std::vector<Field>* siblings;
  size_t index;
  std::vector<Field*> parents;

  Field& field() const { return (*siblings)[index]; }
};

Found find(Schema* schema, const FieldPath& path) {
  Found found{&schema->fields, 0, {}};
  for (size_t depth = 0; depth < path.size(); ++depth) {
    if (depth > 0) {
      found.parents.push_back(&found.field());
      found.siblings = &found.field().children;
    }
    auto at = std::find_if(found.siblings->begin(), found.siblings->end(),
                           [&](const Field& field) { return field.name == path[depth]; });
    if (at == found.siblings->end()) {
      std::vector<std::string> names;
      for (const Field& field : *found.siblings) names.push_back(field.name);
      throw Error(ErrorCode::Usage, fmt::format("no field {}", quoted(print_field_path(path))), {},
                  did_you_mean(path[depth], names,
                               [](const std::string& close) { return visible(close); }));
    }
    found.index = static_cast<size_t>(at - found.siblings->begin());
  }
  if (path.empty()) throw Error(ErrorCode::Usage, "expected the path of a field, found none");
  return found;
}

void collect_ids(const Field& field, bool parents, std::vector<int32_t>* out) {
  if (parents || field.children.empty()) out->push_back(field.id);
  for (const Field& child : field.children) collect_ids(child, parents, out);
}

void give_ids(Field* field, int32_t* next) {
  field->id = (*next)++;
  for (Field& child : field->children) give_ids(&child, next);
}

/// Casts between types without children (specification, "Type Evolution").
bool can_cast_leaf(const LogicalType& from, const LogicalType& to) {
  if (from.kind() == Kind::Dictionary) {
    return can_cast_leaf(from.element(), to.kind() == Kind::Dictionary ? to.element() : to);
  }
  Family a = kind_row(from.kind()).family;
  Family b = kind_row(to.kind()).family;
  if (to.kind() == Kind::Dictionary) {
    return (a == Family::Text || a == Family::Bytes || a == Family::Integer) &&
           can_cast_leaf(from, to.element());
  }
  if (a == Family::Date && b == Family::Timestamp) return true;
  if (a == Family::Timestamp && (b == Family::Date || b == Family::Time)) return true;
  return a == b && a != Family::None;
}

/// The element of any kind of list: a child, or for fixed-size lists of leaves a type.
std::optional<Field> element_of(const Field& field) {
  bool fixed = field.type.kind() == Kind::FixedSizeList;
  if (fixed && field.children.empty()) {
    Field element;
    element.type = field.type.element();
    return element;
  }
  if (fixed || (is_list(field.type.kind()) && field.children.size() == 1)) {
    return field.children[0];
  }
  return std::nullopt;
}

class Evolver {
 public:
  explicit Evolver(EvolutionState state) { out_.state = std::move(state); }

  void apply(const Operation& operation) {
    std::set<std::string> before = violations();
    out_.work.emplace_back();
    std::visit([&](const auto& one) { run(one); }, operation);
    prune();
    for (const hub::Finding& finding : validate(schema())) {
      if (is_violation(finding) && !before.contains(key(finding))) {
        throw Error(ErrorCode::Unsupported,
                    "expected a schema that keeps the rules, found " + finding.lost,
                    {.path = finding.path});
      }
    }
  }

  Evolution take() { return std::move(out_); }

 private:
  Schema& schema() { return out_.state.schema; }
  DataWork& work() { return out_.work.back(); }

  static std::string key(const hub::Finding& finding) {
    return fmt::format("{} {} {}", finding.path.text(), finding.rule, finding.lost);
  }
  std::set<std::string> violations() {
    std::set<std::string> out;
    for (const hub::Finding& finding : validate(schema())) {
      if (is_violation(finding)) out.insert(key(finding));
    }
    return out;
  }

  void number(Field* field) {
    int32_t next = next_field_id(out_.state);
    give_ids(field, &next);
    if (out_.state.max_allocated_id) out_.state.max_allocated_id = next - 1;
  }

  /// Writes a field to a separate file. If files list parents, the fields above it are listed there
  /// too, and are removed from the files that had them.
  void write(const Field& field, const std::vector<Field*>& above) {
    if (!out_.state.has_rows) return;
    std::vector<int32_t> ids;
    if (out_.state.parents_in_files) {
      for (const Field* parent : above) {
        ids.push_back(parent->id);
        for (std::vector<int32_t>& file : out_.state.data_files) {
          std::replace(file.begin(), file.end(), parent->id, kTombstone);
        }
      }
    }
    collect_ids(field, out_.state.parents_in_files, &ids);
    collect_ids(field, false, &work().written_ids);
    out_.state.data_files.push_back(std::move(ids));
  }

  /// Forgets files of which no column is left, as the living system does.
  void prune() {
    std::set<int32_t> live;
    std::function<void(const std::vector<Field>&)> walk = [&](const std::vector<Field>& fields) {
      for (const Field& field : fields) {
        live.insert(field.id);
        walk(field.children);
      }
    };
    walk(schema().fields);
    std::erase_if(out_.state.data_files, [&](const std::vector<int32_t>& file) {
      return std::none_of(file.begin(), file.end(), [&](int32_t id) { return live.contains(id); });
    });
  }

  void run(const AddField& add) {
    std::vector<Field>* siblings = &schema().fields;
    std::vector<Field*> above;
    FieldPath path = add.parent;
    path.push_back(add.field.name);
    if (!add.parent.empty()) {
      Found parent = find(&schema(), add.parent);
      if (parent.field().type.kind() != Kind::Struct) {
        refuse(
            "expected a struct to add a field to, found " + print_logical_type(parent.field().type),
            add.parent);
      }
      siblings = &parent.field().children;
      above = parent.parents;
      above.push_back(&parent.field());
    }
    auto same_name = [&](const Field& field) { return field.name == add.field.name; };
    if (std::any_of(siblings->begin(), siblings->end(), same_name)) {
      refuse("expected a new name, found one that exists", path);
    }
    if (!add.with_values && !add.field.nullable) {
      refuse("expected values for a field that is not nullable, found none", path,
             "Make it nullable, fill it, then set it not nullable.");
    }
    Field field = add.field;
    set_encodings(&field);
    number(&field);
    if (add.with_values) write(field, above);
    siblings->push_back(std::move(field));
  }

  static void set_encodings(Field* field) {
    field->encoding = default_encoding(field->type);
    for (Field& child : field->children) set_encodings(&child);
  }

  void run(const DropField& drop) {
    Found found = find(&schema(), drop.path);
    FieldPath path = drop.path;
    for (;;) {
      size_t depth = found.parents.size();
      if ((depth > 0 && found.parents[depth - 1]->type.kind() == Kind::Map) ||
          (depth > 1 && found.parents[depth - 2]->type.kind() == Kind::Map)) {
        refuse("expected a field that can be dropped alone, found a part of a map", drop.path);
      }
      if (depth == 0 || found.siblings->size() > 1) break;
      // Parents without remaining children are removed too.
      path.pop_back();
      found = find(&schema(), path);
    }
    if (found.parents.empty() && found.siblings->size() == 1) {
      refuse("expected another column beside the one to drop, found none", drop.path);
    }
    found.siblings->erase(found.siblings->begin() + static_cast<std::ptrdiff_t>(found.index));
  }

  void run(const RenameField& rename) {
    Found found = find(&schema(), rename.path);
    for (const Field& sibling : *found.siblings) {
      if (&sibling != &found.field() && sibling.name == rename.name) {
        refuse("expected a new name, found one that exists: " + quoted(rename.name), rename.path);
      }
    }
    found.field().name = rename.name;
  }

  void run(const ReorderFields& reorder) {
    if (reorder.paths.empty()) return;
    FieldPath above = reorder.paths[0];
    above.pop_back();
    std::vector<Field> first;
    for (const FieldPath& path : reorder.paths) {
      if (path.size() != above.size() + 1 ||
          !std::equal(above.begin(), above.end(), path.begin())) {
        throw Error(ErrorCode::Usage, "expected fields of one parent to reorder, found " +
                                          quoted(print_field_path(path)));
      }
      Found found = find(&schema(), path);
      first.push_back(std::move(found.field()));
      found.siblings->erase(found.siblings->begin() + static_cast<std::ptrdiff_t>(found.index));
    }
    std::vector<Field>* siblings =
        above.empty() ? &schema().fields : &find(&schema(), above).field().children;
    siblings->insert(siblings->begin(), std::make_move_iterator(first.begin()),
                     std::make_move_iterator(first.end()));
  }

  void run(const CastField& cast) {
    Found found = find(&schema(), cast.path);
    Field& field = found.field();
    if (!can_cast(field, cast.to)) {
      refuse(fmt::format("expected a type that {} can become, found {}",
                         print_logical_type(field.type), print_logical_type(cast.to.type)),
             cast.path, "Casts stay within integers, floats, times, text, bytes, decimals.");
    }
    Field changed = field;
    changed.type = cast.to.type;
    changed.spelling = cast.to.spelling;
    changed.children = cast.to.children;
    changed.dictionary.reset();
    set_encodings(&changed);
    number(&changed);
    field = std::move(changed);
    write(field, found.parents);
  }

  void run(const SetNullable& set) {
    Found found = find(&schema(), set.path);
    Field& field = found.field();
    if (field.nullable && !set.nullable && out_.state.has_rows) work().checked_id = field.id;
    field.nullable = set.nullable;
  }

  template <typename Clear, typename Set>
  void keys(const std::vector<FieldPath>& paths, Clear clear, Set set) {
    std::function<void(std::vector<Field>&)> walk = [&](std::vector<Field>& fields) {
      for (Field& field : fields) {
        clear(field);
        walk(field.children);
      }
    };
    walk(schema().fields);
    uint32_t position = 0;
    for (const FieldPath& path : paths) set(find(&schema(), path).field(), ++position);
  }

  void run(const SetPrimaryKey& key) {
    keys(
        key.paths,
        [](Field& field) {
          field.primary_key = false;
          field.primary_key_position = 0;
          field.metadata.erase(kPrimaryKey);
          field.metadata.erase(kPrimaryKeyPosition);
        },
        [](Field& field, uint32_t position) {
          // Both places, since readers differ in which they look at.
          field.primary_key = true;
          field.primary_key_position = position;
          field.metadata.set(kPrimaryKeyPosition, std::to_string(position));
        });
  }

  void run(const SetClusteringKey& key) {
    keys(
        key.paths,
        [](Field& field) {
          field.clustering_key_position = 0;
          field.metadata.erase(kClusteringKeyPosition);
        },
        [](Field& field, uint32_t position) {
          field.clustering_key_position = position;
          field.metadata.set(kClusteringKeyPosition, std::to_string(position));
        });
  }

  Evolution out_;
};

}  // namespace

EvolutionState read_evolution_state(std::string_view manifest_file) {
  Manifest manifest = read_manifest(manifest_file);
  EvolutionState state;
  state.schema = std::move(manifest.schema);
  DataFileFields files = read_data_file_fields(manifest_file);
  state.data_files = std::move(files.ids);
  state.has_rows = files.has_fragments;
  state.parents_in_files = manifest.data_version == "0.1" || manifest.data_version == "2.0";
  state.max_allocated_id = manifest.max_allocated_field_id;
  return state;
}

EvolutionState state_of_schema(Schema schema) {
  EvolutionState state;
  std::vector<int32_t>& file = state.data_files.emplace_back();
  for (const Field& field : schema.fields) collect_ids(field, true, &file);
  state.has_rows = true;
  state.schema = std::move(schema);
  return state;
}

int32_t next_field_id(const EvolutionState& state) {
  int32_t highest = std::max(max_field_id(state.schema), state.max_allocated_id.value_or(-1));
  for (const std::vector<int32_t>& file : state.data_files) {
    for (int32_t id : file) highest = std::max(highest, id);
  }
  if (highest == INT32_MAX) {
    throw Error(ErrorCode::Unsupported, "expected a free field id, found all of them given");
  }
  return highest + 1;
}

bool can_cast(const Field& from, const Field& to) {
  // The living system has no way between lengths, nor into a map.
  if (from.type.kind() == Kind::Map || to.type.kind() == Kind::Map) return false;
  if (from.type.kind() == Kind::FixedSizeList && to.type.kind() == Kind::FixedSizeList &&
      from.type.size() != to.type.size()) {
    return false;
  }
  std::optional<Field> from_element = element_of(from);
  std::optional<Field> to_element = element_of(to);
  if (from_element || to_element) {
    return from_element && to_element && can_cast(*from_element, *to_element);
  }
  return from.children.empty() && to.children.empty() && can_cast_leaf(from.type, to.type);
}

Evolution evolve(EvolutionState state, const std::vector<Operation>& operations) {
  Evolver evolver(std::move(state));
  for (const Operation& operation : operations) evolver.apply(operation);
  return evolver.take();
}

}  // namespace xwalk::lance
