#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "xwalk/hub/type.h"

// Everything that is known of each type of Iceberg, in one table.
namespace xwalk::iceberg {

/// The types of the specification ("Primitive Types", "Nested Types", "Semi-structured Types").
enum class Kind : uint8_t {
  Unknown,
  Boolean,
  Int,
  Long,
  Float,
  Double,
  Decimal,
  Date,
  Time,
  Timestamp,
  Timestamptz,
  TimestampNs,
  TimestamptzNs,
  String,
  Uuid,
  Fixed,
  Binary,
  Variant,
  Geometry,
  Geography,
  Struct,
  List,
  Map,
};

/// The properties of one type.
struct KindRow {
  Kind kind;
  /// The word of the JSON form, or what it begins with.
  std::string_view name;
  /// The first version of the table format that has it.
  int since = 1;
  /// The Arrow type, if it needs no parameters of this type.
  std::optional<hub::Kind> arrow{};
  /// Timestamps: the unit, and whether they are instants in UTC.
  std::optional<hub::TimeUnit> unit{};
  bool utc = false;
  /// What a column may become without its files being written again ("Schema Evolution"), and the
  /// version of the table format from which on. Decimals may gain digits besides, and an unknown
  /// may become anything.
  std::array<std::optional<Kind>, 2> promotions{};
  int promotes_since = 1;
  /// Whether columns may be identifiers of a row.
  bool identifies = true;
  /// Example types of the kind in the table of all types. If empty, the name is used.
  std::array<std::string_view, 2> examples{};
};

/// One row per kind, in the order of Kind.
inline constexpr std::array kKindRows = {
    KindRow{.kind = Kind::Unknown,
            .name = "unknown",
            .since = 3,
            .arrow = hub::Kind::Null,
            .identifies = false},
    KindRow{.kind = Kind::Boolean, .name = "boolean", .arrow = hub::Kind::Bool},
    KindRow{
        .kind = Kind::Int, .name = "int", .arrow = hub::Kind::Int32, .promotions = {Kind::Long}},
    KindRow{.kind = Kind::Long, .name = "long", .arrow = hub::Kind::Int64},
    KindRow{.kind = Kind::Float,
            .name = "float",
            .arrow = hub::Kind::Float,
            .promotions = {Kind::Double},
            .identifies = false},
    KindRow{
        .kind = Kind::Double, .name = "double", .arrow = hub::Kind::Double, .identifies = false},
    KindRow{.kind = Kind::Decimal, .name = "decimal", .examples = {"decimal(9, 2)"}},
    KindRow{.kind = Kind::Date,
            .name = "date",
            .arrow = hub::Kind::Date32,
            .promotions = {Kind::Timestamp, Kind::TimestampNs},
            .promotes_since = 3},
    KindRow{.kind = Kind::Time, .name = "time"},
    KindRow{.kind = Kind::Timestamp, .name = "timestamp", .unit = hub::TimeUnit::Micro},
    KindRow{.kind = Kind::Timestamptz,
            .name = "timestamptz",
            .unit = hub::TimeUnit::Micro,
            .utc = true},
    KindRow{
        .kind = Kind::TimestampNs, .name = "timestamp_ns", .since = 3, .unit = hub::TimeUnit::Nano},
    KindRow{.kind = Kind::TimestamptzNs,
            .name = "timestamptz_ns",
            .since = 3,
            .unit = hub::TimeUnit::Nano,
            .utc = true},
    KindRow{.kind = Kind::String, .name = "string", .arrow = hub::Kind::Utf8},
    KindRow{.kind = Kind::Uuid, .name = "uuid"},
    KindRow{.kind = Kind::Fixed, .name = "fixed", .examples = {"fixed[16]"}},
    KindRow{.kind = Kind::Binary, .name = "binary", .arrow = hub::Kind::Binary},
    KindRow{.kind = Kind::Variant, .name = "variant", .since = 3, .identifies = false},
    KindRow{.kind = Kind::Geometry,
            .name = "geometry",
            .since = 3,
            .identifies = false,
            .examples = {"geometry", "geometry(srid:3857)"}},
    KindRow{.kind = Kind::Geography,
            .name = "geography",
            .since = 3,
            .identifies = false,
            .examples = {"geography", "geography(srid:4269, vincenty)"}},
    KindRow{.kind = Kind::Struct,
            .name = "struct",
            .identifies = false,
            .examples = {"struct<a: required int, b: string>"}},
    KindRow{.kind = Kind::List,
            .name = "list",
            .identifies = false,
            .examples = {"list<string>", "list<required long>"}},
    KindRow{
        .kind = Kind::Map, .name = "map", .identifies = false, .examples = {"map<string, double>"}},
};

constexpr const KindRow& kind_row(Kind kind) { return kKindRows[static_cast<size_t>(kind)]; }

constexpr bool is_nested(Kind kind) { return kind >= Kind::Struct; }

/// Types whose values are bytes to readers that do not know them.
constexpr bool is_geospatial(Kind kind) {
  return kind == Kind::Geometry || kind == Kind::Geography;
}

/// The version of the table format that brought values which old rows, and new ones that leave a
/// column out, have in it.
inline constexpr int kDefaultsSince = 3;

/// Digits of a decimal.
inline constexpr int kMaxPrecision = 38;

}  // namespace xwalk::iceberg
