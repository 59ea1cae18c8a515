#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "xwalk/hub/type.h"

// Everything that is known of each type of Delta, in one table.
namespace xwalk::delta {

/// The types of the protocol ("Schema Serialization Format").
enum class Kind : uint8_t {
  Void,
  Boolean,
  Byte,
  Short,
  Integer,
  Long,
  Float,
  Double,
  Decimal,
  Date,
  Timestamp,
  TimestampNtz,
  String,
  Binary,
  Variant,
  Struct,
  Array,
  Map,
};

/// The properties of one type.
struct KindRow {
  Kind kind;
  /// The word of the JSON form, or what it begins with.
  std::string_view name;
  /// The Arrow type, if it needs no parameters of this type.
  std::optional<hub::Kind> arrow{};
  /// The table feature that readers must know; "" if every reader has the type.
  std::string_view feature{};
  /// Example types of the kind in the table of all types. If empty, the name is used.
  std::array<std::string_view, 2> examples{};
};

/// One row per kind, in the order of Kind.
inline constexpr std::array kKindRows = {
    KindRow{.kind = Kind::Void, .name = "void", .arrow = hub::Kind::Null},
    KindRow{.kind = Kind::Boolean, .name = "boolean", .arrow = hub::Kind::Bool},
    KindRow{.kind = Kind::Byte, .name = "byte", .arrow = hub::Kind::Int8},
    KindRow{.kind = Kind::Short, .name = "short", .arrow = hub::Kind::Int16},
    KindRow{.kind = Kind::Integer, .name = "integer", .arrow = hub::Kind::Int32},
    KindRow{.kind = Kind::Long, .name = "long", .arrow = hub::Kind::Int64},
    KindRow{.kind = Kind::Float, .name = "float", .arrow = hub::Kind::Float},
    KindRow{.kind = Kind::Double, .name = "double", .arrow = hub::Kind::Double},
    KindRow{.kind = Kind::Decimal, .name = "decimal", .examples = {"decimal(9,2)"}},
    KindRow{.kind = Kind::Date, .name = "date", .arrow = hub::Kind::Date32},
    KindRow{.kind = Kind::Timestamp, .name = "timestamp"},
    KindRow{.kind = Kind::TimestampNtz, .name = "timestamp_ntz", .feature = "timestampNtz"},
    KindRow{.kind = Kind::String, .name = "string", .arrow = hub::Kind::Utf8},
    KindRow{.kind = Kind::Binary, .name = "binary", .arrow = hub::Kind::Binary},
    KindRow{.kind = Kind::Variant, .name = "variant", .feature = "variantType"},
    KindRow{.kind = Kind::Struct,
            .name = "struct",
            .examples = {"struct<a: integer not null, b: string>"}},
    KindRow{.kind = Kind::Array,
            .name = "array",
            .examples = {"array<string>", "array<long not null>"}},
    KindRow{.kind = Kind::Map, .name = "map", .examples = {"map<string, double>"}},
};

constexpr const KindRow& kind_row(Kind kind) { return kKindRows[static_cast<size_t>(kind)]; }

constexpr bool is_nested(Kind kind) { return kind >= Kind::Struct; }

/// Digits of a decimal.
inline constexpr int kMaxPrecision = 38;

}  // namespace xwalk::delta
