#include "xwalk/lance/evolution_diff.h"

// The difference of two versions of a schema, by field id.

#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/reordered.h"

namespace xwalk::lance {
namespace {

struct Placed {
  const Field* field;
  FieldPath path;
  int32_t parent;
};

/// Lists the fields of a schema depth-first, and finds them by id: the first of each.
struct Index {
  std::vector<Placed> all;
  std::map<int32_t, size_t> by_id;

  explicit Index(const Schema& schema) {
    std::function<void(const std::vector<Field>&, const FieldPath&, int32_t)> walk =
        [&](const std::vector<Field>& fields, const FieldPath& above, int32_t parent) {
          for (const Field& field : fields) {
            FieldPath path = above;
            path.push_back(field.name);
            by_id.emplace(field.id, all.size());
            all.push_back({&field, path, parent});
            walk(field.children, path, field.id);
          }
        };
    walk(schema.fields, {}, -1);
  }

  const Placed* find(int32_t id) const {
    auto found = by_id.find(id);
    return found == by_id.end() ? nullptr : &all[found->second];
  }
};

std::string key_text(const Field& field) {
  std::string out;
  if (field.primary_key) {
    out = field.primary_key_position > 0 ? fmt::format("primary key {}", field.primary_key_position)
                                         : "primary key";
  }
  if (field.clustering_key_position > 0) {
    out +=
        fmt::format("{}clustering key {}", out.empty() ? "" : ", ", field.clustering_key_position);
  }
  return out;
}

std::string type_text(const Field& field) {
  std::string out = print_logical_type(field.type);
  if (field.children.size() == 1 && field.type.kind() != Kind::Struct) {
    out += fmt::format("<{}>", type_text(field.children[0]));
  }
  return out;
}

std::string metadata_text(const hub::Metadata& metadata) {
  std::string out;
  for (const auto& [key, value] : metadata) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", key, value);
  }
  return out;
}

class Differ {
 public:
  Differ(const Schema& older, const Schema& newer) : older_(older), newer_(newer) {
    for (const Placed& placed : older_.all) {
      if (newer_.find(placed.field->id) == nullptr) dropped_.emplace(placed.path, &placed);
    }
  }

  std::vector<Change> run(const Schema& newer) {
    walk(newer.fields);
    for (const Placed& placed : older_.all) {
      auto left = dropped_.find(placed.path);
      bool with_parent = placed.parent >= 0 && newer_.find(placed.parent) == nullptr;
      if (left == dropped_.end() || left->second != &placed || with_parent) continue;
      out_.push_back({ChangeKind::Dropped,
                      placed.field->id,
                      -1,
                      placed.path,
                      {},
                      type_text(*placed.field),
                      ""});
    }
    return std::move(out_);
  }

 private:
  void walk(const std::vector<Field>& fields) {
    std::vector<size_t> places;
    std::vector<int32_t> ids;
    for (const Field& field : fields) {
      auto was = older_.by_id.find(field.id);
      const Placed* now = newer_.find(field.id);
      if (was == older_.by_id.end() || older_.all[was->second].parent != now->parent) continue;
      places.push_back(was->second);
      ids.push_back(field.id);
    }
    std::vector<bool> moved = reordered(places);
    std::set<int32_t> reordered;
    for (size_t i = 0; i < ids.size(); ++i) {
      if (moved[i]) reordered.insert(ids[i]);
    }
    for (const Field& field : fields) compare(field, reordered.contains(field.id));
  }

  void compare(const Field& field, bool reordered) {
    const Placed& now = *newer_.find(field.id);
    const Placed* was = older_.find(field.id);
    if (was == nullptr) {
      auto same_place = dropped_.find(now.path);
      if (same_place == dropped_.end()) {
        out_.push_back({ChangeKind::Added, field.id, field.id, {}, now.path, "", type_text(field)});
        return;
      }
      was = same_place->second;
      dropped_.erase(same_place);
      out_.push_back({ChangeKind::Retyped, was->field->id, field.id, was->path, now.path,
                      type_text(*was->field), type_text(field)});
      attributes(*was, now);
      return;
    }
    auto add = [&](ChangeKind kind, std::string from, std::string to) {
      out_.push_back(
          {kind, field.id, field.id, was->path, now.path, std::move(from), std::move(to)});
    };
    if (was->field->name != field.name) add(ChangeKind::Renamed, was->field->name, field.name);
    if (was->parent != now.parent || reordered) {
      add(ChangeKind::Moved, print_field_path(was->path), print_field_path(now.path));
    }
    if (!(was->field->type == field.type)) {
      add(ChangeKind::Retyped, type_text(*was->field), type_text(field));
    }
    attributes(*was, now);
    walk(field.children);
  }

  void attributes(const Placed& was, const Placed& now) {
    const Field& a = *was.field;
    const Field& b = *now.field;
    auto add = [&](ChangeKind kind, std::string from, std::string to) {
      if (from != to)
        out_.push_back({kind, a.id, b.id, was.path, now.path, std::move(from), std::move(to)});
    };
    add(ChangeKind::Nullability, a.nullable ? "null" : "not null",
        b.nullable ? "null" : "not null");
    add(ChangeKind::Keys, key_text(a), key_text(b));
    if (!(a.metadata == b.metadata)) {
      add(ChangeKind::Metadata, metadata_text(a.metadata), metadata_text(b.metadata));
    }
  }

  Index older_;
  Index newer_;
  std::map<FieldPath, const Placed*> dropped_;
  std::vector<Change> out_;
};

}  // namespace

std::string_view to_string(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::Added:
      return "added";
    case ChangeKind::Dropped:
      return "dropped";
    case ChangeKind::Renamed:
      return "renamed";
    case ChangeKind::Moved:
      return "moved";
    case ChangeKind::Retyped:
      return "retyped";
    case ChangeKind::Nullability:
      return "nullability";
    case ChangeKind::Keys:
      return "keys";
    case ChangeKind::Metadata:
      return "metadata";
  }
  return "";
}

std::vector<Change> diff(const Schema& older, const Schema& newer) {
  return Differ(older, newer).run(newer);
}

}  // namespace xwalk::lance
