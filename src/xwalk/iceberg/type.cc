#include "xwalk/iceberg/type.h"

#include <algorithm>

namespace xwalk::iceberg {
namespace {

int32_t highest(const std::vector<Field>& fields) {
  int32_t out = 0;
  for (const Field& field : fields) {
    out = std::max({out, field.id, highest(field.type.children)});
  }
  return out;
}

void number(std::vector<Field>& fields, int32_t* last) {
  for (Field& field : fields) {
    if (field.id == 0) field.id = ++*last;
  }
  for (Field& field : fields) number(field.type.children, last);
}

}  // namespace

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.precision == b.precision && a.scale == b.scale &&
         a.length == b.length && a.crs == b.crs && a.algorithm == b.algorithm &&
         a.children == b.children;
}

int32_t last_id(const Schema& schema) {
  return std::max(schema.last_column_id, highest(schema.fields));
}

void assign_ids(Schema* schema) {
  int32_t last = last_id(*schema);
  number(schema->fields, &last);
}

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
