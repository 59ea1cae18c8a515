#include "xwalk/lance/evolution.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/hub/domain.h"
#include "xwalk/hub/option.h"
#include "xwalk/lance/data_version.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/validate.h"

namespace xwalk::lance {
namespace {

/// Marks a column in a file's list that moved to a newer file.
constexpr int32_t kTombstone = -2;

[[noreturn]] void refuse(const std::string& message, const FieldPath& path, std::string hint = {}) {
  throw Error(ErrorCode::Unsupported, message, {.path = path_of(path)}, std::move(hint));
}

std::string write_again() {
  return "Write the dataset again with " + hub::mention(hub::Option::LanceVersion, "2.2");
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

hub::Domain domain_of(const Field& field) {
  Schema schema;
  schema.fields = {field};
  return hub::domain_of(to_arrow(schema).fields.front(), {});
}

/// Says what happens to the clock of a time.
void add_clock(const hub::Domain& from, const hub::Domain& to, hub::Findings* out) {
  const bool from_instant = from.family == hub::Family::Instant;
  const bool to_instant = to.family == hub::Family::Instant;
  const bool from_local = !from_instant || from.zone == hub::Zone::Local;
  const bool to_local = !to_instant || to.zone == hub::Zone::Local;
  if (from_local && !to_local) {
    out->push_back({.rule = "zone.assumed",
                    .effect = hub::Effect::Altered,
                    .lost = fmt::format("local times become times of {}", to.zone_name)});
  } else if (!from_local && to_local) {
    // A timestamp loses its zone, a day or a time is that of the zone (both run).
    out->push_back({.rule = "zone.dropped",
                    .effect = hub::Effect::Altered,
                    .lost = fmt::format("{} of {}",
                                        to_instant ? "instants become local times"
                                        : to.family == hub::Family::Date ? "days are those"
                                                                         : "times are those",
                                        to_instant ? "UTC" : from.zone_name)});
  }
}

/// What the living system makes of values that the new type does not hold, in its words.
struct Fate {
  hub::Effect effect;
  std::string_view text;
};

Fate fate_of(std::string_view rule, const hub::Domain& from, const hub::Domain& to) {
  if (rule == "float.narrowed") {
    return {hub::Effect::Altered, ", and values beyond its range become infinite"};
  }
  if (rule == "digits.fewer") return {hub::Effect::Altered, ", and values are rounded"};
  if (rule == "unit.coarser") return {hub::Effect::Altered, ", and the rest is cut off"};
  // Days are multiplied without a check.
  if (from.family == hub::Family::Date && to.family == hub::Family::Instant) {
    return {hub::Effect::Altered, ", and days beyond it become others"};
  }
  if (from.family == hub::Family::Instant && to.family == hub::Family::TimeOfDay) {
    return {hub::Effect::Altered, ", and the day is dropped"};
  }
  return {hub::Effect::Refused, ", and the first value beyond it ends the change"};
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
  /// Whether files list parents beside leaves.
  bool parents_in_files() const { return out_.state.data_version <= DataVersion::V2_0; }

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
    if (parents_in_files()) {
      for (const Field* parent : above) {
        ids.push_back(parent->id);
        for (std::vector<int32_t>& file : out_.state.data_files) {
          std::replace(file.begin(), file.end(), parent->id, kTombstone);
        }
      }
    }
    collect_ids(field, parents_in_files(), &ids);
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
      if (out_.state.data_version < DataVersion::V2_2) {
        refuse(
            fmt::format("expected data files of version 2.2 or newer to add a field to a struct, "
                        "found {}",
                        to_string(out_.state.data_version)),
            path, write_again() + ", or add a column.");
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
    if (path.size() < drop.path.size()) {
      work().findings.push_back({.rule = "member.left-out",
                                 .path = path_of(path),
                                 .lost = "is dropped too: no field of it would be left"});
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
    // The leaves that stay in the older file could no longer be read (pylance 14.0.2).
    const bool leaves_others = std::ranges::any_of(
        found.parents, [](const Field* parent) { return parent->children.size() > 1; });
    if (parents_in_files() && out_.state.has_rows && leaves_others) {
      refuse(fmt::format("expected data files of version 2.1 or newer to change a field next to "
                         "others in a struct, found {}: Lance could not read the rows afterwards",
                         to_string(out_.state.data_version)),
             cast.path, write_again() + ".");
    }
    work().findings = cast_findings(field, cast.to);
    for (hub::Finding& finding : work().findings) finding.path = path_of(cast.path);
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
  state.data_version = find_data_version(manifest.data_version).value_or(state.data_version);
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

hub::Findings cast_findings(const Field& from, const Field& to) {
  const std::optional<Field> from_element = element_of(from);
  const std::optional<Field> to_element = element_of(to);
  if (from_element && to_element) return cast_findings(*from_element, *to_element);
  const hub::Domain source = domain_of(from);
  const hub::Domain target = domain_of(to);
  hub::Findings out;
  for (hub::Narrowing& narrowing : hub::narrowings(source, target)) {
    const Fate fate = fate_of(narrowing.rule, source, target);
    out.push_back({.rule = narrowing.rule,
                   .effect = fate.effect,
                   .lost = narrowing.lost.append(fate.text),
                   .witness = std::move(narrowing.witness)});
  }
  add_clock(source, target, &out);
  return out;
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
