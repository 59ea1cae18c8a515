#include "xwalk/lance/validate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/limits.h"
#include "xwalk/base/path.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_zone.h"
#include "xwalk/hub/judgement.h"
#include "xwalk/hub/type.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {
namespace {

bool is_list_of_structs(Kind kind) {
  return kind == Kind::ListStruct || kind == Kind::LargeListStruct;
}

class Validator : hub::Judgement {
 public:
  void top(const std::vector<Field>& fields) {
    std::unordered_set<std::string_view> names;
    for (const Field& field : fields) {
      Path path = Path::column(field.name);
      if (!names.insert(field.name).second) {
        violation("name.duplicate", path, "a second column of this name");
      }
      if (field.name.find('.') != std::string::npos) {
        violation("name.reserved", path, "a dot, which means a member of a struct");
      }
      if (is_own_column(field.name)) {
        violation("name.reserved", path, "a name that Lance gives to a column of its own");
      } else if (field.name == "_distance" || field.name == "_score") {
        note("name.reserved", path, "a name that Lance gives to a result of its searches");
      }
      this->field(field, path, true);
    }
  }

  /// Metadata of a field or of the schema, whose keys are text, and so are names of extensions.
  void metadata(const hub::Metadata& metadata, const Path& path) {
    for (const auto& [key, value] : metadata) {
      if (!is_valid_utf8(key)) violation("name.invalid", path, "a metadata key that is not UTF-8");
      if (key == hub::kExtensionName && !is_valid_utf8(value)) {
        violation("name.invalid", path, "the name of an extension that is not UTF-8");
      }
    }
  }

  /// A field and all below it. `may_key`: all above are structs that are not null.
  void field(const Field& field, const Path& path, bool may_key) {
    id(field, path);
    if (!is_valid_utf8(field.name)) violation("name.invalid", path, "a name that is not UTF-8");
    if (field.name.empty())
      note("name.invalid", path, "an empty name: readers cannot select this column");
    if (field.name.find('`') != std::string::npos) {
      note("name.invalid", path, "a '`', which readers cannot quote");
    }
    metadata(field.metadata, path);
    parameters(field.type, path);
    if (std::string beyond = beyond_specification(
            field.spelling.empty() ? print_logical_type(field.type) : field.spelling);
        !beyond.empty()) {
      note("spec.beyond-text", path, beyond);
    }
    children(field, path);
    bool unbroken = may_key && !field.nullable;
    keys(field, path, unbroken);
    bool below = unbroken && field.type.kind() == Kind::Struct;
    for (size_t i = 0; i < field.children.size(); ++i) {
      this->field(field.children[i], path_of_child(field, i, path), below);
    }
  }

  void link(const Path& path, std::string lost) { violation("id.parent", path, std::move(lost)); }

  hub::Findings take() {
    for (const auto& [position, paths] : key_positions_) {
      for (size_t i = 1; i < paths.size(); ++i) {
        note("key.invalid", paths[i],
             fmt::format("position {} of the primary key, which {} has too", position,
                         paths[0].text()));
      }
    }
    return std::move(findings_);
  }

 private:
  static Path path_of_child(const Field& field, size_t index, const Path& path) {
    if (field.type.kind() == Kind::Struct) return path.field(field.children[index].name);
    return path.item();
  }

  void id(const Field& field, const Path& path) {
    if (field.id < 0) {
      violation("id.invalid", path, fmt::format("no id assigned (found {})", field.id));
    } else if (auto [first, added] = ids_.emplace(field.id, path.text()); !added) {
      violation("id.duplicate", path,
                fmt::format("the id {}, which {} has too", field.id, first->second));
    }
  }

  /// A type with children cannot be a parameter, except in a list.
  void element(const LogicalType& type, const Path& path, bool has_child) {
    const Kind kind = type.element().kind();
    if (!has_child && (kind == Kind::Struct || kind == Kind::Map || is_list(kind))) {
      violation("type.parameters", path,
                fmt::format("values of type {}", print_logical_type(type.element())));
      return;
    }
    parameters(type.element(), path);
  }

  void parameters(const LogicalType& type, const Path& path) {
    switch (kind_row(type.kind()).parameters) {
      case Parameters::Decimal: {
        int most = type.bits() == 128 ? 38 : 76;
        if (type.precision() < 1 || type.precision() > most) {
          violation("type.parameters", path,
                    fmt::format("a precision of {}, outside 1 to {}", type.precision(), most));
        }
        return;
      }
      case Parameters::Size:
        if (type.size() <= 0) {
          violation("type.parameters", path, fmt::format("a size of {} bytes", type.size()));
        }
        return;
      case Parameters::ElementAndSize:
        if (type.size() <= 0) {
          violation("type.parameters", path, fmt::format("a length of {} items", type.size()));
        }
        element(type, path, type.element().kind() == Kind::Struct);
        return;
      case Parameters::ValuesAndIndex:
        if (!is_integer(type.index().kind())) {
          violation("type.parameters", path,
                    fmt::format("a dictionary indexed by {}, no integer",
                                print_logical_type(type.index())));
        }
        element(type, path, false);
        return;
      case Parameters::UnitAndZone:
        if (!type.zone().empty() && !is_time_zone(type.zone())) {
          note("zone.unknown", path,
               fmt::format("{} names no time zone; readers may fail on it", quoted(type.zone())));
        }
        return;
      case Parameters::None:
      case Parameters::Unit:
        return;
    }
  }

  void children(const Field& field, const Path& path) {
    Kind kind = field.type.kind();
    size_t count = field.children.size();
    if (kind == Kind::Struct) return;
    bool list_of_structs = is_list_of_structs(kind);
    bool item = kind == Kind::FixedSizeList && field.type.element().kind() == Kind::Struct;
    size_t wanted = is_list(kind) || kind == Kind::Map || item ? 1 : 0;
    if (count != wanted) {
      violation("children.count", path,
                fmt::format("{} children of a {}, which has {}", count,
                            print_logical_type(field.type), wanted));
      return;
    }
    if (count == 0) return;
    const Field& child = field.children[0];
    bool of_struct = child.type.kind() == Kind::Struct;
    if ((is_list(kind) && of_struct != list_of_structs) || (item && !of_struct)) {
      violation("children.count", path,
                fmt::format("an item of type {} in a {}", print_logical_type(child.type),
                            print_logical_type(field.type)));
    }
    if (kind == Kind::Map) map(child, path);
  }

  void map(const Field& entries, const Path& path) {
    if (entries.type.kind() != Kind::Struct || entries.children.size() != 2) {
      violation("map.shape", path, "a child that is not a struct of key and value");
      return;
    }
    if (entries.nullable) violation("map.shape", path, "entries that may be null");
    if (entries.children[0].nullable) {
      violation("map.key-optional", path.map_key(), "keys that may be null");
    }
  }

  void keys(const Field& field, const Path& path, bool unbroken) {
    if (field.primary_key_position > 0 && !field.primary_key) {
      violation("key.invalid", path, "a position in the primary key without being part of it");
    }
    if (!field.primary_key) return;
    if (!field.children.empty()) {
      violation("key.invalid", path, "a primary key column with children");
    }
    if (!unbroken) {
      violation(
          "key.invalid", path,
          "a primary key column that is nullable, or is nested in a nullable field, a list or a "
          "map");
    }
    if (field.primary_key_position > 0) key_positions_[field.primary_key_position].push_back(path);
  }

  std::unordered_map<int32_t, std::string> ids_;
  std::map<uint32_t, std::vector<Path>> key_positions_;
};

/// Returns for each field the index of its parent, or -1, and reports invalid links. Those are -1
/// as well, and set in `broken`.
std::vector<int64_t> check_links(const FlatSchema& flat, Validator* validator,
                                 std::vector<bool>* broken) {
  size_t count = flat.fields.size();
  std::unordered_map<int32_t, size_t> anywhere;
  for (size_t i = 0; i < count; ++i) anywhere.emplace(flat.fields[i].field.id, i);
  auto parent_of = [&](size_t i) -> std::optional<size_t> {
    if (flat.fields[i].parent == kNoParent) return std::nullopt;
    auto found = anywhere.find(flat.fields[i].parent);
    return found == anywhere.end() ? std::nullopt : std::optional(found->second);
  };

  // Each chain of parents is walked once: 0 not seen, 1 on this walk, 2 done.
  // guard(allocate): As many as fields were parsed.
  std::vector<char> state(count, 0);
  std::vector<bool> in_circle(count, false);
  for (size_t i = 0; i < count; ++i) {
    std::vector<size_t> walk;
    std::optional<size_t> at = i;
    while (at && state[*at] == 0) {
      state[*at] = 1;
      walk.push_back(*at);
      at = parent_of(*at);
    }
    if (at && state[*at] == 1) {
      for (size_t j = walk.size(); j-- > 0;) {
        in_circle[walk[j]] = true;
        if (walk[j] == *at) break;
      }
    }
    for (size_t j : walk) state[j] = 2;
  }

  std::unordered_map<int32_t, int64_t> earlier;
  // guard(allocate): As many as fields were parsed.
  std::vector<int64_t> parents(count, -1);
  std::vector<int> depths(count, 0);
  for (size_t i = 0; i < count; ++i) {
    const FlatField& field = flat.fields[i];
    Path path = Path::column(field.field.name);
    if (field.parent != kNoParent) {
      auto found = earlier.find(field.parent);
      if (in_circle[i]) {
        validator->link(path, fmt::format("the parent {}, which is below it", field.parent));
        (*broken)[i] = true;
      } else if (found != earlier.end()) {
        depths[i] = depths[static_cast<size_t>(found->second)] + 1;
        if (depths[i] > limits::kSchemaDepth) {
          validator->link(path, fmt::format("more than {} fields above it", limits::kSchemaDepth));
          depths[i] = 0;
          (*broken)[i] = true;
        } else {
          parents[i] = found->second;
        }
      } else {
        validator->link(path, anywhere.contains(field.parent)
                                  ? fmt::format("the parent {}, which comes later", field.parent)
                                  : fmt::format("the parent {}, which is not there", field.parent));
        (*broken)[i] = true;
      }
    }
    earlier[field.field.id] = static_cast<int64_t>(i);
  }
  return parents;
}

}  // namespace

hub::Findings validate(const Schema& schema) {
  Validator validator;
  validator.metadata(schema.metadata, Path());
  validator.top(schema.fields);
  return validator.take();
}

hub::Findings validate(const FlatSchema& flat) {
  Validator validator;
  validator.metadata(flat.metadata, Path());
  std::vector<bool> broken(flat.fields.size(), false);
  std::vector<int64_t> parents = check_links(flat, &validator, &broken);
  std::vector<Field> whole;
  whole.reserve(flat.fields.size());
  for (const FlatField& field : flat.fields) whole.push_back(field.field);
  // Backwards, so that a field is whole before it moves into its parent.
  std::vector<Field> top;
  std::vector<Field> loose;
  for (size_t i = whole.size(); i-- > 0;) {
    std::vector<Field>& siblings = broken[i] ? loose
                                   : parents[i] >= 0
                                       ? whole[static_cast<size_t>(parents[i])].children
                                       : top;
    std::reverse(whole[i].children.begin(), whole[i].children.end());
    siblings.push_back(std::move(whole[i]));
  }
  std::reverse(top.begin(), top.end());
  std::reverse(loose.begin(), loose.end());
  validator.top(top);
  for (const Field& field : loose) validator.field(field, Path::column(field.name), true);
  return validator.take();
}

}  // namespace xwalk::lance
