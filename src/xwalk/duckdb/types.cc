#include "xwalk/duckdb/types.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/hub/kinds.h"
#include "xwalk/hub/lower.h"

namespace xwalk::duckdb {
namespace {

using hub::Field;
using hub::Form;
using hub::Kind;
using hub::TimeUnit;
using hub::Type;

constexpr int kDecimalDigits = 38;
/// A struct without members has one here that is always null.
constexpr const char* kNoMembers = "$empty";

constexpr hub::Capabilities kCapabilities = {
    .system = "duckdb",
    .any_values = true,
    .nullable_keys = false,
    .half_floats = false,
    .zero_bytes = false,
};

/// Returns a decimal with as many digits as the values of a non-decimal type need.
Type decimal_of(const Type& type) {
  const int scale = std::max(type.scale(), 0);
  const int digits = std::max(type.precision() - std::min(type.scale(), 0), scale);
  if (digits > kDecimalDigits) return Kind::Utf8;
  if (digits == type.precision() && scale == type.scale() && type.kind() != Kind::Decimal256) {
    return type;
  }
  return hub::decimal(128, digits, scale);
}

Field taken(const Field& field);

Type with_taken_children(const Type& type) {
  std::vector<Field> children;
  for (const Field& child : type.children()) children.push_back(taken(child));
  return hub::with_children(type, std::move(children));
}

Type taken(const Type& type) {
  const Kind kind = type.kind();
  switch (hub::kind_row(kind).form) {
    case Form::Decimal:
      return decimal_of(type);
    case Form::Timestamp:
      // Instants are counted in microseconds.
      if (type.zone().empty() || type.unit() != TimeUnit::Nano) return type;
      return hub::timestamp(TimeUnit::Micro, type.zone());
    case Form::Unit:
      if (kind != Kind::Duration || type.unit() != TimeUnit::Nano) return type;
      return hub::duration(TimeUnit::Micro);
    case Form::Plain:
      if (kind != Kind::IntervalMonths && kind != Kind::IntervalDayTime) return type;
      return Kind::IntervalMonthDayNano;
    case Form::Struct:
      if (type.children().empty()) return hub::struct_({Field(kNoMembers, Kind::Bool)});
      return with_taken_children(type);
    case Form::Union: {
      std::vector<Field> members;
      for (const Field& member : type.children()) members.push_back(taken(member));
      return hub::union_(std::move(members), Kind::SparseUnion);
    }
    case Form::FixedSizeList:
      if (type.size() == 0) return hub::list(taken(type.child()));
      return with_taken_children(type);
    // DuckDB would decode the values again for each of its vectors.
    case Form::Dictionary:
      return taken(type.child()).type;
    case Form::RunEndEncoded:
      return taken(type.child(1)).type;
    case Form::List:
      if (kind == Kind::ListView) return hub::list(taken(type.child()));
      if (kind == Kind::LargeListView) return hub::list(taken(type.child()), Kind::LargeList);
      return with_taken_children(type);
    case Form::Map:
      return with_taken_children(type);
    case Form::FixedSizeBinary:
      return type;
  }
  return type;
}

Field taken(const Field& field) {
  Field out = field;
  out.type = taken(field.type);
  return out;
}

}  // namespace

hub::Schema duckdb_schema(const hub::Schema& schema) {
  hub::Schema out = hub::lower(schema, kCapabilities).schema;
  for (Field& field : out.fields) field = taken(field);
  return out;
}

}  // namespace xwalk::duckdb
