#include "xwalk/duckdb/types.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/hub/lower.h"

namespace xwalk::duckdb {
namespace {

using hub::Field;
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
  switch (type.kind()) {
    case Kind::Decimal32:
    case Kind::Decimal64:
    case Kind::Decimal128:
    case Kind::Decimal256:
      return decimal_of(type);
    case Kind::Timestamp:
      // Instants are counted in microseconds.
      if (type.zone().empty() || type.unit() != TimeUnit::Nano) return type;
      return hub::timestamp(TimeUnit::Micro, type.zone());
    case Kind::Duration:
      return type.unit() == TimeUnit::Nano ? hub::duration(TimeUnit::Micro) : type;
    case Kind::IntervalMonths:
    case Kind::IntervalDayTime:
      return Kind::IntervalMonthDayNano;
    case Kind::Struct:
      if (type.children().empty()) return hub::struct_({Field(kNoMembers, Kind::Bool)});
      return with_taken_children(type);
    case Kind::DenseUnion:
    case Kind::SparseUnion: {
      std::vector<Field> members;
      for (const Field& member : type.children()) members.push_back(taken(member));
      return hub::union_(std::move(members), Kind::SparseUnion);
    }
    case Kind::FixedSizeList:
      if (type.size() == 0) return hub::list(taken(type.child()));
      return with_taken_children(type);
    // DuckDB would decode the values again for each of its vectors.
    case Kind::Dictionary:
      return taken(type.child()).type;
    case Kind::RunEndEncoded:
      return taken(type.child(1)).type;
    case Kind::List:
    case Kind::LargeList:
    case Kind::Map:
      return with_taken_children(type);
    case Kind::ListView:
      return hub::list(taken(type.child()));
    case Kind::LargeListView:
      return hub::list(taken(type.child()), Kind::LargeList);
    case Kind::Null:
    case Kind::Bool:
    case Kind::Int8:
    case Kind::Int16:
    case Kind::Int32:
    case Kind::Int64:
    case Kind::Uint8:
    case Kind::Uint16:
    case Kind::Uint32:
    case Kind::Uint64:
    case Kind::HalfFloat:
    case Kind::Float:
    case Kind::Double:
    case Kind::Utf8:
    case Kind::LargeUtf8:
    case Kind::Utf8View:
    case Kind::Binary:
    case Kind::LargeBinary:
    case Kind::BinaryView:
    case Kind::FixedSizeBinary:
    case Kind::Date32:
    case Kind::Date64:
    case Kind::Time32:
    case Kind::Time64:
    case Kind::IntervalMonthDayNano:
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
