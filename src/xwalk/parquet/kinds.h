#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "xwalk/hub/extension.h"
#include "xwalk/hub/type.h"

// Everything that is known of each physical type, of each logical type and of each older
// annotation, in three tables.
namespace xwalk::parquet {

/// What a column chunk stores. The numbers are Thrift's `Type`.
enum class PhysicalType : uint8_t {
  Boolean = 0,
  Int32 = 1,
  Int64 = 2,
  Int96 = 3,  ///< deprecated: nanoseconds of a day and a Julian day
  Float = 4,
  Double = 5,
  ByteArray = 6,  ///< `binary` in message text
  FixedLenByteArray = 7,
};

/// The numbers up to File are the field ids of Thrift's union `LogicalType`, 9 excepted: it is
/// reserved there, and INTERVAL is written as a ConvertedType only.
enum class LogicalKind : uint8_t {
  None = 0,
  String = 1,
  Map = 2,
  List = 3,
  Enum = 4,
  Decimal = 5,
  Date = 6,
  Time = 7,
  Timestamp = 8,
  Interval = 9,
  Integer = 10,
  Unknown = 11,  ///< always null
  Json = 12,
  Bson = 13,
  Uuid = 14,
  Float16 = 15,
  Variant = 16,
  Geometry = 17,
  Geography = 18,
  File = 19,
  MapKeyValue = 254,
  Future = 255,  ///< newer than this version of xwalk; kept byte for byte
};

/// The older annotation, one number of a SchemaElement. The numbers are Thrift's `ConvertedType`.
enum class ConvertedType : uint8_t {
  Utf8 = 0,
  Map = 1,
  MapKeyValue = 2,
  List = 3,
  Enum = 4,
  Decimal = 5,
  Date = 6,
  TimeMillis = 7,
  TimeMicros = 8,
  TimestampMillis = 9,
  TimestampMicros = 10,
  Uint8 = 11,
  Uint16 = 12,
  Uint32 = 13,
  Uint64 = 14,
  Int8 = 15,
  Int16 = 16,
  Int32 = 17,
  Int64 = 18,
  Json = 19,
  Bson = 20,
  Interval = 21,
};

/// Unit of TIME and TIMESTAMP. The numbers are the field ids of Thrift's union `TimeUnit`.
enum class TimeUnit : uint8_t { Millis = 1, Micros = 2, Nanos = 3 };

/// The properties of one physical type.
struct PhysicalRow {
  PhysicalType physical;
  /// The word in message text.
  std::string_view name;
  /// The Arrow type of values without an annotation, where they always have the same.
  std::optional<hub::Kind> arrow;
  std::string_view example;
};

/// The parameters in parentheses after the name of a logical type.
enum class Parameters : uint8_t { None, Decimal, Time, Integer, Variant, Geospatial, Future };

/// What a logical type may annotate.
enum class Carrier : uint8_t {
  Anywhere,
  Group,
  Primitive,
  Physical,  ///< one physical type, fixed_len_byte_array of one length
  Decimal,   ///< four physical types, by the precision
  Time,      ///< int32 for milliseconds, else int64
  Timestamp,
  Integer,  ///< int32 up to 32 bits, else int64
};

/// The properties of one logical type.
struct LogicalRow {
  LogicalKind kind;
  /// The name in message text; "" for LogicalType None.
  std::string_view name;
  Parameters parameters = Parameters::None;
  Carrier carrier = Carrier::Anywhere;
  /// Of Carrier::Physical: the type, and the length of a fixed_len_byte_array.
  PhysicalType physical = PhysicalType::ByteArray;
  int32_t length = 0;
  /// The Arrow type, where the logical type alone decides it.
  std::optional<hub::Kind> arrow{};
  /// The canonical extension type of Arrow, "" if Arrow has none.
  std::string_view extension{};
  /// Newer than the written specification.
  bool beyond_text = false;
  /// Fields that stand for it in the table of all types.
  std::array<std::string_view, 6> examples{};
};

/// The properties of one older annotation: the logical type it means.
struct ConvertedRow {
  ConvertedType type;
  /// The word in message text.
  std::string_view name;
  LogicalKind kind;
  /// Time, Timestamp.
  TimeUnit unit = TimeUnit::Millis;
  /// Integer.
  int bits = 0;
  bool is_signed = false;
};

/// One row per physical type, in the order of PhysicalType.
inline constexpr std::array kPhysicalRows = {
    PhysicalRow{PhysicalType::Boolean, "boolean", hub::Kind::Bool, "required boolean v;"},
    PhysicalRow{PhysicalType::Int32, "int32", hub::Kind::Int32, "required int32 v;"},
    PhysicalRow{PhysicalType::Int64, "int64", hub::Kind::Int64, "required int64 v;"},
    PhysicalRow{PhysicalType::Int96, "int96", std::nullopt, "required int96 v;"},
    PhysicalRow{PhysicalType::Float, "float", hub::Kind::Float, "required float v;"},
    PhysicalRow{PhysicalType::Double, "double", hub::Kind::Double, "required double v;"},
    PhysicalRow{PhysicalType::ByteArray, "binary", hub::Kind::Binary, "required binary v;"},
    PhysicalRow{PhysicalType::FixedLenByteArray, "fixed_len_byte_array", std::nullopt,
                "required fixed_len_byte_array(5) v;"},
};

/// One row per logical type, in the order of LogicalKind.
inline constexpr std::array kLogicalRows = {
    LogicalRow{.kind = LogicalKind::None,
               .name = "",
               .examples = {"optional int64 v;",
                            "required group v { required int64 a; optional binary b (STRING); }",
                            "repeated int64 v;"}},
    LogicalRow{.kind = LogicalKind::String,
               .name = "STRING",
               .carrier = Carrier::Physical,
               .arrow = hub::Kind::Utf8,
               .examples = {"required binary v (STRING);"}},
    LogicalRow{.kind = LogicalKind::Map,
               .name = "MAP",
               .carrier = Carrier::Group,
               .examples = {"required group v (MAP) { repeated group key_value { required binary "
                            "key (STRING); optional int64 value; } }"}},
    LogicalRow{.kind = LogicalKind::List,
               .name = "LIST",
               .carrier = Carrier::Group,
               .examples = {"required group v (LIST) { repeated group list { optional int64 "
                            "element; } }"}},
    // The specification asks to show an enum as UTF-8 text.
    LogicalRow{.kind = LogicalKind::Enum,
               .name = "ENUM",
               .carrier = Carrier::Physical,
               .arrow = hub::Kind::Utf8,
               .examples = {"required binary v (ENUM);"}},
    LogicalRow{.kind = LogicalKind::Decimal,
               .name = "DECIMAL",
               .parameters = Parameters::Decimal,
               .carrier = Carrier::Decimal,
               .examples = {"required int32 v (DECIMAL(9,2));", "required int64 v (DECIMAL(18,4));",
                            "required fixed_len_byte_array(16) v (DECIMAL(35,10));",
                            "required binary v (DECIMAL(20,5));"}},
    LogicalRow{.kind = LogicalKind::Date,
               .name = "DATE",
               .carrier = Carrier::Physical,
               .physical = PhysicalType::Int32,
               .arrow = hub::Kind::Date32,
               .examples = {"required int32 v (DATE);"}},
    LogicalRow{.kind = LogicalKind::Time,
               .name = "TIME",
               .parameters = Parameters::Time,
               .carrier = Carrier::Time,
               .examples = {"required int32 v (TIME(MILLIS,true));",
                            "required int64 v (TIME(MICROS,true));",
                            "required int64 v (TIME(NANOS,false));"}},
    LogicalRow{.kind = LogicalKind::Timestamp,
               .name = "TIMESTAMP",
               .parameters = Parameters::Time,
               .carrier = Carrier::Timestamp,
               .examples = {"required int64 v (TIMESTAMP(MILLIS,true));",
                            "required int64 v (TIMESTAMP(MICROS,false));",
                            "required int64 v (TIMESTAMP(NANOS,true));"}},
    LogicalRow{.kind = LogicalKind::Interval,
               .name = "INTERVAL",
               .carrier = Carrier::Physical,
               .physical = PhysicalType::FixedLenByteArray,
               .length = 12,
               .arrow = hub::Kind::IntervalMonthDayNano,
               .examples = {"required fixed_len_byte_array(12) v (INTERVAL);"}},
    LogicalRow{
        .kind = LogicalKind::Integer,
        .name = "INTEGER",
        .parameters = Parameters::Integer,
        .carrier = Carrier::Integer,
        .examples = {"required int32 v (INTEGER(8,true));", "required int32 v (INTEGER(16,true));",
                     "required int32 v (INTEGER(8,false));",
                     "required int32 v (INTEGER(16,false));",
                     "required int32 v (INTEGER(32,false));",
                     "required int64 v (INTEGER(64,false));"}},
    LogicalRow{.kind = LogicalKind::Unknown,
               .name = "UNKNOWN",
               .carrier = Carrier::Primitive,
               .arrow = hub::Kind::Null,
               .examples = {"optional int32 v (UNKNOWN);"}},
    LogicalRow{.kind = LogicalKind::Json,
               .name = "JSON",
               .carrier = Carrier::Physical,
               .arrow = hub::Kind::Utf8,
               .extension = hub::kJsonExtension,
               .examples = {"required binary v (JSON);"}},
    LogicalRow{.kind = LogicalKind::Bson,
               .name = "BSON",
               .carrier = Carrier::Physical,
               .examples = {"required binary v (BSON);"}},
    LogicalRow{.kind = LogicalKind::Uuid,
               .name = "UUID",
               .carrier = Carrier::Physical,
               .physical = PhysicalType::FixedLenByteArray,
               .length = 16,
               .extension = hub::kUuidExtension,
               .beyond_text = true,
               .examples = {"required fixed_len_byte_array(16) v (UUID);"}},
    LogicalRow{.kind = LogicalKind::Float16,
               .name = "FLOAT16",
               .carrier = Carrier::Physical,
               .physical = PhysicalType::FixedLenByteArray,
               .length = 2,
               .arrow = hub::Kind::HalfFloat,
               .beyond_text = true,
               .examples = {"required fixed_len_byte_array(2) v (FLOAT16);"}},
    LogicalRow{.kind = LogicalKind::Variant,
               .name = "VARIANT",
               .parameters = Parameters::Variant,
               .carrier = Carrier::Group,
               .beyond_text = true,
               .examples = {"optional group v (VARIANT) { required binary metadata; optional "
                            "binary value; }"}},
    LogicalRow{.kind = LogicalKind::Geometry,
               .name = "GEOMETRY",
               .parameters = Parameters::Geospatial,
               .carrier = Carrier::Physical,
               .beyond_text = true,
               .examples = {"optional binary v (GEOMETRY);"}},
    LogicalRow{.kind = LogicalKind::Geography,
               .name = "GEOGRAPHY",
               .parameters = Parameters::Geospatial,
               .carrier = Carrier::Physical,
               .beyond_text = true,
               .examples = {"optional binary v (GEOGRAPHY);"}},
    LogicalRow{
        .kind = LogicalKind::File, .name = "FILE", .carrier = Carrier::Group, .beyond_text = true},
    LogicalRow{
        .kind = LogicalKind::MapKeyValue, .name = "MAP_KEY_VALUE", .carrier = Carrier::Group},
    LogicalRow{.kind = LogicalKind::Future, .name = "FUTURE", .parameters = Parameters::Future},
};

/// One row per older annotation, in the order of ConvertedType.
inline constexpr std::array kConvertedRows = {
    ConvertedRow{ConvertedType::Utf8, "UTF8", LogicalKind::String},
    ConvertedRow{ConvertedType::Map, "MAP", LogicalKind::Map},
    ConvertedRow{ConvertedType::MapKeyValue, "MAP_KEY_VALUE", LogicalKind::MapKeyValue},
    ConvertedRow{ConvertedType::List, "LIST", LogicalKind::List},
    ConvertedRow{ConvertedType::Enum, "ENUM", LogicalKind::Enum},
    ConvertedRow{ConvertedType::Decimal, "DECIMAL", LogicalKind::Decimal},
    ConvertedRow{ConvertedType::Date, "DATE", LogicalKind::Date},
    ConvertedRow{ConvertedType::TimeMillis, "TIME_MILLIS", LogicalKind::Time, TimeUnit::Millis},
    ConvertedRow{ConvertedType::TimeMicros, "TIME_MICROS", LogicalKind::Time, TimeUnit::Micros},
    ConvertedRow{ConvertedType::TimestampMillis, "TIMESTAMP_MILLIS", LogicalKind::Timestamp,
                 TimeUnit::Millis},
    ConvertedRow{ConvertedType::TimestampMicros, "TIMESTAMP_MICROS", LogicalKind::Timestamp,
                 TimeUnit::Micros},
    ConvertedRow{ConvertedType::Uint8, "UINT_8", LogicalKind::Integer, {}, 8, false},
    ConvertedRow{ConvertedType::Uint16, "UINT_16", LogicalKind::Integer, {}, 16, false},
    ConvertedRow{ConvertedType::Uint32, "UINT_32", LogicalKind::Integer, {}, 32, false},
    ConvertedRow{ConvertedType::Uint64, "UINT_64", LogicalKind::Integer, {}, 64, false},
    ConvertedRow{ConvertedType::Int8, "INT_8", LogicalKind::Integer, {}, 8, true},
    ConvertedRow{ConvertedType::Int16, "INT_16", LogicalKind::Integer, {}, 16, true},
    ConvertedRow{ConvertedType::Int32, "INT_32", LogicalKind::Integer, {}, 32, true},
    ConvertedRow{ConvertedType::Int64, "INT_64", LogicalKind::Integer, {}, 64, true},
    ConvertedRow{ConvertedType::Json, "JSON", LogicalKind::Json},
    ConvertedRow{ConvertedType::Bson, "BSON", LogicalKind::Bson},
    ConvertedRow{ConvertedType::Interval, "INTERVAL", LogicalKind::Interval},
};

constexpr const PhysicalRow& physical_row(PhysicalType type) {
  return kPhysicalRows[static_cast<size_t>(type)];
}
constexpr const LogicalRow& logical_row(LogicalKind kind) {
  auto number = static_cast<size_t>(kind);
  constexpr auto kLast = static_cast<size_t>(LogicalKind::File);
  constexpr auto kBeyond = static_cast<size_t>(LogicalKind::MapKeyValue);
  return kLogicalRows[number <= kLast ? number : number - kBeyond + kLast + 1];
}
constexpr const ConvertedRow& converted_row(ConvertedType type) {
  return kConvertedRows[static_cast<size_t>(type)];
}

/// Returns the ConvertedType of a number, if it is one.
constexpr std::optional<ConvertedType> converted_type(int32_t number) {
  if (number < 0 || number >= static_cast<int32_t>(kConvertedRows.size())) return std::nullopt;
  return static_cast<ConvertedType>(number);
}

}  // namespace xwalk::parquet
