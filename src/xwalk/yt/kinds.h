#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "xwalk/hub/extension.h"
#include "xwalk/hub/type.h"

// The properties of every kind of type, in one table. A kind is added by its enumerator and its
// row. Only a kind whose values have their own encoding needs further code.
namespace xwalk::yt {

/// Every type of YTsaurus: the simple types, the decimal, then the compound types.
enum class TypeKind : uint8_t {
  Int8,
  Int16,
  Int32,
  Int64,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Float,
  Double,
  Bool,
  String,
  Utf8,
  Json,
  Yson,
  Uuid,
  Date,
  Datetime,
  Timestamp,
  Interval,
  Date32,
  Datetime64,
  Timestamp64,
  Interval64,
  TzDate,
  TzDatetime,
  TzTimestamp,
  TzDate32,
  TzDatetime64,
  TzTimestamp64,
  Null,
  Void,
  Decimal,
  Optional,
  List,
  Struct,
  Tuple,
  Variant,
  Dict,
  Tagged,
};

/// What the values of a kind are, for whatever reads or writes one.
enum class Content : uint8_t {
  Null,  ///< only `#`
  Boolean,
  Signed,    ///< an integer that YSON writes as int64
  Unsigned,  ///< an integer that YSON writes as uint64
  Real,
  Bytes,
  Utf8,
  Json,
  Yson,
  Uuid,
  Zoned,  ///< an instant and the name of a time zone
  Decimal,
  Compound,  ///< values of other types
};

/// How a type is built of others.
enum class Composition : uint8_t { None, Optional, List, Struct, Tuple, Variant, Dict, Tagged };

/// How a column is stored.
enum class PhysicalType : uint8_t { Null, Int64, Uint64, Double, Boolean, String, Any, Composite };

constexpr PhysicalType physical_type(Content content) {
  switch (content) {
    case Content::Null:
      return PhysicalType::Null;
    case Content::Boolean:
      return PhysicalType::Boolean;
    case Content::Signed:
      return PhysicalType::Int64;
    case Content::Unsigned:
      return PhysicalType::Uint64;
    case Content::Real:
      return PhysicalType::Double;
    case Content::Bytes:
    case Content::Utf8:
    case Content::Json:
    case Content::Uuid:
    case Content::Zoned:
    case Content::Decimal:
      return PhysicalType::String;
    case Content::Yson:
      return PhysicalType::Any;
    case Content::Compound:
      return PhysicalType::Composite;
  }
  return PhysicalType::Any;
}

/// The Arrow type of a simple type. Timestamps are in UTC.
struct ArrowForm {
  hub::Kind kind = hub::Kind::Null;
  /// Timestamp, Duration.
  hub::TimeUnit unit = hub::TimeUnit::Second;
  /// FixedSizeBinary: bytes.
  int32_t size = 0;
  /// The canonical extension type, "" if Arrow has none.
  std::string_view extension{};

  friend constexpr bool operator==(const ArrowForm&, const ArrowForm&) = default;
};

/// The integers a type holds. `max` is unsigned to reach 2^64 - 1.
struct IntegerRange {
  int64_t min = 0;
  uint64_t max = 0;

  constexpr bool contains(int64_t value) const {
    return value >= min && (value < 0 || static_cast<uint64_t>(value) <= max);
  }
  constexpr bool contains(uint64_t value) const { return value <= max; }
  /// Returns the fewest bytes, of 1, 2, 4 and 8, that an integer of the range needs.
  constexpr size_t bytes() const {
    for (size_t size : {1, 2, 4}) {
      uint64_t most = (uint64_t{1} << (8 * size - (min < 0 ? 1 : 0))) - 1;
      if (max <= most && min >= -static_cast<int64_t>(most) - 1) return size;
    }
    return 8;
  }
};

/// Ranges of the temporal types, both ends included ("Primitive types" in the specification).
inline constexpr int64_t kSecondsPerDay = 86400;
inline constexpr int64_t kMicrosPerDay = kSecondsPerDay * 1'000'000;
inline constexpr IntegerRange kDateRange = {0, 49673 - 1};
inline constexpr IntegerRange kDatetimeRange = {0, 49673 * kSecondsPerDay - 1};
inline constexpr IntegerRange kTimestampRange = {0, 49673 * kMicrosPerDay - 1};
inline constexpr IntegerRange kIntervalRange = {1 - 49673 * kMicrosPerDay,
                                                49673 * kMicrosPerDay - 1};
inline constexpr IntegerRange kDate32Range = {-53375809, 53375808 - 1};
inline constexpr IntegerRange kDatetime64Range = {-53375809 * kSecondsPerDay,
                                                  53375808 * kSecondsPerDay - 1};
inline constexpr IntegerRange kTimestamp64Range = {-53375809 * kMicrosPerDay,
                                                   53375808 * kMicrosPerDay - 1};
inline constexpr IntegerRange kInterval64Range = {-9223339708800000000, 9223339708800000000};

/// The properties of one kind.
struct KindRow {
  TypeKind kind;
  /// The name in `type_v3`, YSON and JSON alike.
  std::string_view name;
  /// The name in the short notation.
  std::string_view short_name;
  Content content = Content::Compound;
  Composition composition = Composition::None;
  /// Simple types, except those with a time zone, which are struct<time, zone>.
  ArrowForm arrow{};
  /// Integers, and the instants of types with a time zone.
  IntegerRange range{};
  /// The fewest bytes, of 1, 2, 4 and 8, that hold an integer of the range.
  size_t integer_bytes = range.bytes();
  /// Types with a time zone: the type of the instant. Others: the type itself.
  TypeKind instant = kind;
  /// The name in the older form, `type`; "" if it is the name in `type_v3`.
  std::string_view older_name{};
  /// The next larger type, which holds all its values: columns of it may become columns of that.
  std::optional<TypeKind> widens_to{};
  /// Columns of it may become columns of `any`.
  bool becomes_any = false;
  /// One of the temporal types that came later: signed, with room before 1970.
  bool later = false;
  /// Values have an order, those of a compound type if those within have one.
  bool comparable = true;
  /// Example types of the kind in the table of all types. If empty, the short name is used.
  std::array<std::string_view, 4> examples{};
};

namespace detail {

/// Makes the row of an integer, or of a date, time or interval kept as one.
constexpr KindRow integer(TypeKind kind, std::string_view name, std::string_view short_name,
                          Content content, IntegerRange range, ArrowForm arrow,
                          std::optional<TypeKind> widens_to = {}) {
  return {.kind = kind,
          .name = name,
          .short_name = short_name,
          .content = content,
          .arrow = arrow,
          .range = range,
          .widens_to = widens_to,
          .becomes_any = true};
}

constexpr KindRow later(KindRow row) {
  row.later = true;
  return row;
}

/// Makes the row of a type with a time zone.
constexpr KindRow zoned(TypeKind kind, std::string_view name, std::string_view short_name,
                        TypeKind instant, IntegerRange range) {
  return {.kind = kind,
          .name = name,
          .short_name = short_name,
          .content = Content::Zoned,
          .range = range,
          .instant = instant};
}

constexpr KindRow compound(TypeKind kind, std::string_view name, std::string_view short_name,
                           Composition composition, bool comparable,
                           std::array<std::string_view, 4> examples) {
  return {.kind = kind,
          .name = name,
          .short_name = short_name,
          .composition = composition,
          .comparable = comparable,
          .examples = examples};
}

// Names for the table alone, so that a row fits on few lines.
inline constexpr ArrowForm kDays = {hub::Kind::Date32};
inline constexpr ArrowForm kSeconds = {hub::Kind::Timestamp, hub::TimeUnit::Second};
inline constexpr ArrowForm kMicros = {hub::Kind::Timestamp, hub::TimeUnit::Micro};
inline constexpr ArrowForm kDuration = {hub::Kind::Duration, hub::TimeUnit::Micro};

inline constexpr KindRow kRows[] = {
    integer(TypeKind::Int8, "int8", "Int8", Content::Signed, {INT8_MIN, INT8_MAX},
            {hub::Kind::Int8}, TypeKind::Int16),
    integer(TypeKind::Int16, "int16", "Int16", Content::Signed, {INT16_MIN, INT16_MAX},
            {hub::Kind::Int16}, TypeKind::Int32),
    integer(TypeKind::Int32, "int32", "Int32", Content::Signed, {INT32_MIN, INT32_MAX},
            {hub::Kind::Int32}, TypeKind::Int64),
    integer(TypeKind::Int64, "int64", "Int64", Content::Signed, {INT64_MIN, INT64_MAX},
            {hub::Kind::Int64}),
    integer(TypeKind::Uint8, "uint8", "Uint8", Content::Unsigned, {0, UINT8_MAX},
            {hub::Kind::Uint8}, TypeKind::Uint16),
    integer(TypeKind::Uint16, "uint16", "Uint16", Content::Unsigned, {0, UINT16_MAX},
            {hub::Kind::Uint16}, TypeKind::Uint32),
    integer(TypeKind::Uint32, "uint32", "Uint32", Content::Unsigned, {0, UINT32_MAX},
            {hub::Kind::Uint32}, TypeKind::Uint64),
    integer(TypeKind::Uint64, "uint64", "Uint64", Content::Unsigned, {0, UINT64_MAX},
            {hub::Kind::Uint64}),
    {.kind = TypeKind::Float,
     .name = "float",
     .short_name = "Float",
     .content = Content::Real,
     .arrow = {hub::Kind::Float},
     .widens_to = TypeKind::Double,
     .becomes_any = true},
    {.kind = TypeKind::Double,
     .name = "double",
     .short_name = "Double",
     .content = Content::Real,
     .arrow = {hub::Kind::Double},
     .becomes_any = true},
    {.kind = TypeKind::Bool,
     .name = "bool",
     .short_name = "Bool",
     .content = Content::Boolean,
     .arrow = {hub::Kind::Bool},
     .older_name = "boolean",
     .becomes_any = true},
    {.kind = TypeKind::String,
     .name = "string",
     .short_name = "String",
     .content = Content::Bytes,
     .arrow = {hub::Kind::Binary},
     .becomes_any = true},
    {.kind = TypeKind::Utf8,
     .name = "utf8",
     .short_name = "Utf8",
     .content = Content::Utf8,
     .arrow = {hub::Kind::Utf8},
     .widens_to = TypeKind::String,
     .becomes_any = true},
    {.kind = TypeKind::Json,
     .name = "json",
     .short_name = "Json",
     .content = Content::Json,
     .arrow = {.kind = hub::Kind::Utf8, .extension = hub::kJsonExtension},
     .comparable = false},
    {.kind = TypeKind::Yson,
     .name = "yson",
     .short_name = "Any",
     .content = Content::Yson,
     .arrow = {hub::Kind::Binary},
     .older_name = "any",
     .becomes_any = true,
     .comparable = false,
     .examples = {"Optional<Yson>"}},
    {.kind = TypeKind::Uuid,
     .name = "uuid",
     .short_name = "Uuid",
     .content = Content::Uuid,
     .arrow = {.kind = hub::Kind::FixedSizeBinary, .size = 16, .extension = hub::kUuidExtension}},
    integer(TypeKind::Date, "date", "Date", Content::Unsigned, kDateRange, kDays),
    integer(TypeKind::Datetime, "datetime", "Datetime", Content::Unsigned, kDatetimeRange,
            kSeconds),
    integer(TypeKind::Timestamp, "timestamp", "Timestamp", Content::Unsigned, kTimestampRange,
            kMicros),
    integer(TypeKind::Interval, "interval", "Interval", Content::Signed, kIntervalRange, kDuration),
    later(integer(TypeKind::Date32, "date32", "Date32", Content::Signed, kDate32Range, kDays)),
    later(integer(TypeKind::Datetime64, "datetime64", "Datetime64", Content::Signed,
                  kDatetime64Range, kSeconds)),
    later(integer(TypeKind::Timestamp64, "timestamp64", "Timestamp64", Content::Signed,
                  kTimestamp64Range, kMicros)),
    later(integer(TypeKind::Interval64, "interval64", "Interval64", Content::Signed,
                  kInterval64Range, kDuration)),
    zoned(TypeKind::TzDate, "tz_date", "TzDate", TypeKind::Date, kDateRange),
    zoned(TypeKind::TzDatetime, "tz_datetime", "TzDatetime", TypeKind::Datetime, kDatetimeRange),
    zoned(TypeKind::TzTimestamp, "tz_timestamp", "TzTimestamp", TypeKind::Timestamp,
          kTimestampRange),
    zoned(TypeKind::TzDate32, "tz_date32", "TzDate32", TypeKind::Date32, kDate32Range),
    zoned(TypeKind::TzDatetime64, "tz_datetime64", "TzDatetime64", TypeKind::Datetime64,
          kDatetime64Range),
    zoned(TypeKind::TzTimestamp64, "tz_timestamp64", "TzTimestamp64", TypeKind::Timestamp64,
          kTimestamp64Range),
    {.kind = TypeKind::Null,
     .name = "null",
     .short_name = "Null",
     .content = Content::Null,
     .arrow = {hub::Kind::Null},
     .becomes_any = true},
    {.kind = TypeKind::Void,
     .name = "void",
     .short_name = "Void",
     .content = Content::Null,
     .arrow = {hub::Kind::Null},
     .becomes_any = true},
    {.kind = TypeKind::Decimal,
     .name = "decimal",
     .short_name = "Decimal",
     .content = Content::Decimal,
     .examples = {"Decimal(9,2)", "Decimal(18,4)", "Decimal(35,10)", "Decimal(76,38)"}},
    compound(TypeKind::Optional, "optional", "Optional", Composition::Optional, true,
             {"Optional<Int64>", "Optional<Optional<Int64>>"}),
    compound(TypeKind::List, "list", "List", Composition::List, true, {"List<Int64>"}),
    compound(TypeKind::Struct, "struct", "Struct", Composition::Struct, false,
             {"Struct<'a':Int64,'b':Optional<Utf8>>"}),
    compound(TypeKind::Tuple, "tuple", "Tuple", Composition::Tuple, true, {"Tuple<Int64,Utf8>"}),
    compound(TypeKind::Variant, "variant", "Variant", Composition::Variant, true,
             {"Variant<'a':Int64,'b':Utf8>", "Variant<Int64,Utf8>"}),
    compound(TypeKind::Dict, "dict", "Dict", Composition::Dict, false,
             {"Dict<Utf8,Int64>", "Dict<Int64,Utf8>"}),
    compound(TypeKind::Tagged, "tagged", "Tagged", Composition::Tagged, true,
             {"Tagged<Int64,'tag'>"}),
};

}  // namespace detail

/// One row per kind, in the order of TypeKind.
inline constexpr std::span<const KindRow> kKindRows = detail::kRows;

constexpr const KindRow& kind_row(TypeKind kind) {
  return detail::kRows[static_cast<size_t>(kind)];
}

/// Returns the default simple type for an Arrow type: the first of several, except for temporal
/// types, for which it is the later one with the wider range. Empty if no type has this form.
constexpr std::optional<TypeKind> simple_kind(const ArrowForm& form) {
  std::optional<TypeKind> found;
  for (const KindRow& row : kKindRows) {
    bool simple = row.composition == Composition::None && row.content != Content::Zoned &&
                  row.content != Content::Decimal;
    if (simple && row.arrow == form && (!found || row.later)) found = row.kind;
  }
  return found;
}

inline constexpr int kSimpleTypeCount = static_cast<int>(TypeKind::Decimal);

constexpr bool is_simple(TypeKind kind) { return kind < TypeKind::Decimal; }
/// Returns true for a type with a time zone.
constexpr bool is_tz(TypeKind kind) { return kind_row(kind).content == Content::Zoned; }
/// Returns true for an integral type that YSON writes as uint64.
constexpr bool is_unsigned(TypeKind kind) { return kind_row(kind).content == Content::Unsigned; }
/// Returns true if values of the type are integers in YSON: integers, dates, times, intervals.
constexpr bool is_integral(TypeKind kind) {
  return is_unsigned(kind) || kind_row(kind).content == Content::Signed;
}
/// Returns the range of an integral type, or of the instant of a type with a time zone; {0, 0} for
/// others.
constexpr IntegerRange integer_range(TypeKind kind) { return kind_row(kind).range; }
/// Returns the type of the instant of a type with a time zone, and every other type as it is.
constexpr TypeKind tz_instant(TypeKind kind) { return kind_row(kind).instant; }

}  // namespace xwalk::yt
