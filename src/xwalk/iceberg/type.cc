#include "xwalk/iceberg/type.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::iceberg {
namespace {

int32_t highest(const std::vector<Field>& fields) {
  int32_t out = 0;
  for (const Field& field : fields) {
    out = std::max({out, field.id, highest(field.type.children)});
  }
  return out;
}

/// Gives ids to fields that have none.
class Numbering {
 public:
  explicit Numbering(const Schema& schema) : schema_(schema), last_(last_id(schema)) {}

  void number(std::vector<Field>& fields) {
    for (Field& field : fields) {
      if (field.id == 0) field.id = next();
    }
    for (Field& field : fields) number(field.type.children);
  }

 private:
  int32_t next() {
    if (last_ < kLastFieldId) return ++last_;
    if (schema_.last_column_id > 0) {
      throw Error(ErrorCode::Unsupported,
                  fmt::format("expected a free field id up to {}, the table has given {}",
                              kLastFieldId, last_));
    }
    if (used_.empty()) use(schema_.fields);
    while (!used_.insert(++free_).second) {
    }
    return free_;
  }

  void use(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      used_.insert(field.id);
      use(field.type.children);
    }
  }

  const Schema& schema_;
  int32_t last_;
  int32_t free_ = 0;
  std::unordered_set<int32_t> used_;
};

}  // namespace

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.precision == b.precision && a.scale == b.scale &&
         a.length == b.length && a.crs == b.crs && a.algorithm == b.algorithm &&
         a.children == b.children;
}

int32_t last_id(const Schema& schema) {
  return std::max(schema.last_column_id, highest(schema.fields));
}

void assign_ids(Schema* schema) { Numbering(*schema).number(schema->fields); }

int promotes_since(const Type& from, const Type& to) {
  const KindRow& row = kind_row(from.kind);
  if (from.kind == to.kind) {
    const bool same = from.length == to.length && from.crs == to.crs &&
                      from.algorithm == to.algorithm && from.scale == to.scale;
    return same && from.precision <= to.precision ? 1 : 0;
  }
  if (from.kind == Kind::Unknown) return row.since;
  return std::ranges::find(row.promotions, to.kind) == row.promotions.end() ? 0
                                                                            : row.promotes_since;
}

}  // namespace xwalk::iceberg
