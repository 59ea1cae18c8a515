#include "xwalk/duckdb/types.h"

#include <algorithm>
#include <string>
#include <string_view>
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

namespace {

/// Returns true if the children of two types, which `child` returns by their index, are equal.
bool same_children(duckdb_logical_type one, duckdb_logical_type other,
                   duckdb_logical_type (*child)(duckdb_logical_type, idx_t),
                   char* (*name)(duckdb_logical_type, idx_t), idx_t count) {
  for (idx_t i = 0; i < count; ++i) {
    const OwnedText left(name(one, i));
    const OwnedText right(name(other, i));
    if (std::string_view(left.get()) != right.get()) return false;
    if (!same_type(LogicalType(child(one, i)).get(), LogicalType(child(other, i)).get())) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool has_type(duckdb_logical_type type, duckdb_type kind) {
  const duckdb_type id = duckdb_get_type_id(type);
  if (id == kind) return true;
  const auto child_has = [kind](duckdb_logical_type child) {
    return has_type(LogicalType(child).get(), kind);
  };
  if (id == DUCKDB_TYPE_LIST) return child_has(duckdb_list_type_child_type(type));
  if (id == DUCKDB_TYPE_ARRAY) return child_has(duckdb_array_type_child_type(type));
  if (id == DUCKDB_TYPE_MAP) {
    return child_has(duckdb_map_type_key_type(type)) || child_has(duckdb_map_type_value_type(type));
  }
  if (id == DUCKDB_TYPE_STRUCT) {
    for (idx_t i = 0; i < duckdb_struct_type_child_count(type); ++i) {
      if (child_has(duckdb_struct_type_child_type(type, i))) return true;
    }
  }
  if (id == DUCKDB_TYPE_UNION) {
    for (idx_t i = 0; i < duckdb_union_type_member_count(type); ++i) {
      if (child_has(duckdb_union_type_member_type(type, i))) return true;
    }
  }
  return false;
}

bool same_type(duckdb_logical_type one, duckdb_logical_type other) {
  const duckdb_type id = duckdb_get_type_id(one);
  if (id != duckdb_get_type_id(other)) return false;
  const auto same = [&](auto child) {
    return same_type(LogicalType(child(one)).get(), LogicalType(child(other)).get());
  };
  const auto equal = [&](auto property) { return property(one) == property(other); };
  switch (id) {
    case DUCKDB_TYPE_DECIMAL:
      return equal(duckdb_decimal_width) && equal(duckdb_decimal_scale);
    case DUCKDB_TYPE_LIST:
      return same(duckdb_list_type_child_type);
    case DUCKDB_TYPE_ARRAY:
      return equal(duckdb_array_type_array_size) && same(duckdb_array_type_child_type);
    case DUCKDB_TYPE_MAP:
      return same(duckdb_map_type_key_type) && same(duckdb_map_type_value_type);
    case DUCKDB_TYPE_STRUCT:
      return equal(duckdb_struct_type_child_count) &&
             same_children(one, other, duckdb_struct_type_child_type, duckdb_struct_type_child_name,
                           duckdb_struct_type_child_count(one));
    case DUCKDB_TYPE_UNION:
      return equal(duckdb_union_type_member_count) &&
             same_children(one, other, duckdb_union_type_member_type, duckdb_union_type_member_name,
                           duckdb_union_type_member_count(one));
    default:
      return true;
  }
}

}  // namespace xwalk::duckdb
