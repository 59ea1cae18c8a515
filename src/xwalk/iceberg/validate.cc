#include "xwalk/iceberg/validate.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/hub/judgement.h"

namespace xwalk::iceberg {
namespace {

class Validator : hub::Judgement {
 public:
  explicit Validator(const Schema& schema) : schema_(schema) {}

  hub::Findings run() {
    // Columns may identify rows, and members of structs that are never null.
    fields(schema_.fields, Path(), true);
    for (const int32_t id : schema_.identifier_field_ids) {
      if (!paths_.contains(id)) {
        violation("key.invalid", Path(),
                  fmt::format("the identifier field {}, which is not there", id));
      }
    }
    return std::move(findings_);
  }

 private:
  void fields(const std::vector<Field>& list, const Path& path, bool may_identify) {
    std::unordered_set<std::string_view> names;
    for (const Field& field : list) {
      const Path below = path.empty() ? Path::column(field.name) : path.field(field.name);
      judge_name(field.name, below, &names);
      visit(field, below, may_identify);
    }
  }

  void visit(const Field& field, const Path& path, bool may_identify) {
    const Type& type = field.type;
    const KindRow& row = kind_row(type.kind);
    id(field, path);
    identifier(field, path, may_identify);
    if (row.since > 1) {
      note("spec.version", path,
           fmt::format("{} came with version {} of the table format", row.name, row.since));
    }
    if (type.kind == Kind::Unknown && field.required) {
      violation("spec.broken", path, "an unknown, all of whose values are null, that is required");
    }
    defaults(field, path);
    if (type.kind == Kind::Struct) fields(type.children, path, may_identify && field.required);
    if (type.kind == Kind::List) visit(type.children[0], path.item(), false);
    if (type.kind == Kind::Map) {
      visit(type.children[0], path.map_key(), false);
      visit(type.children[1], path.map_value(), false);
    }
  }

  void id(const Field& field, const Path& path) {
    if (field.id <= 0) {
      violation("id.invalid", path, fmt::format("the id {}: ids begin at 1", field.id));
    } else if (field.id > kLastFieldId) {
      violation("id.invalid", path,
                fmt::format("the id {}: those above {} are reserved", field.id, kLastFieldId));
    } else if (const auto [first, added] = paths_.emplace(field.id, path.text()); !added) {
      violation("id.duplicate", path,
                fmt::format("the id {}, which {} has too", field.id, first->second));
    }
  }

  void identifier(const Field& field, const Path& path, bool may_identify) {
    const auto& ids = schema_.identifier_field_ids;
    if (std::ranges::find(ids, field.id) == ids.end()) return;
    const KindRow& row = kind_row(field.type.kind);
    if (!row.identifies) {
      violation("key.invalid", path, fmt::format("an identifier field of type {}", row.name));
    } else if (!field.required) {
      violation("key.invalid", path, "an identifier field that is not required");
    } else if (!may_identify) {
      violation("key.invalid", path,
                "an identifier field in a list, a map or a struct that is not required");
    }
  }

  void defaults(const Field& field, const Path& path) {
    if (!field.initial_default && !field.write_default) return;
    note("spec.version", path,
         fmt::format("defaults came with version {} of the table format", kDefaultsSince));
    const Kind kind = field.type.kind;
    const bool none = kind == Kind::Unknown || kind == Kind::Variant || is_geospatial(kind);
    for (const auto& value : {field.initial_default, field.write_default}) {
      if (none && value && *value != "null") {
        violation("spec.broken", path,
                  fmt::format("a default of {}: {} has none but null", clipped(*value),
                              kind_row(kind).name));
      }
    }
  }

  const Schema& schema_;
  std::unordered_map<int32_t, std::string> paths_;
};

}  // namespace

hub::Findings validate(const Schema& schema) { return Validator(schema).run(); }

}  // namespace xwalk::iceberg
