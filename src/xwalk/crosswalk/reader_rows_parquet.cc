#include "xwalk/crosswalk/reader_rows_parquet.h"

#include "xwalk/crosswalk/reader_terms.h"
#include "xwalk/parquet/rules.h"
#include "xwalk/parquet/variant.h"

namespace xwalk::crosswalk {
namespace {

using hub::Effect;

namespace parquet_table {

using parquet::Node;
using parquet::PhysicalType;
using parquet::TimeUnit;
using Kind = parquet::LogicalKind;

bool is_millis(const Node& node) { return node.logical().unit() == TimeUnit::Millis; }
bool is_finer(const Node& node) { return !is_millis(node); }
bool is_nanos(const Node& node) { return node.logical().unit() == TimeUnit::Nanos; }
bool is_local(const Node& node) { return !node.logical().utc(); }
bool is_not_nanos(const Node& node) { return !is_nanos(node); }
bool is_utc(const Node& node) { return !is_local(node); }
bool is_optional(const Node& node) { return node.is(parquet::Repetition::Optional); }
bool beyond_38(const Node& node) { return node.logical().precision() > 38; }
bool is_utc_nanos(const Node& node) { return is_nanos(node) && !is_local(node); }
bool is_local_nanos(const Node& node) { return is_nanos(node) && is_local(node); }
bool beyond_76(const Node& node) { return node.logical().precision() > 76; }
bool is_36_to_76(const Node& node) { return node.logical().precision() > 35 && !beyond_76(node); }
bool has_other_crs(const Node& node) {
  const auto crs = node.logical().crs();
  return crs && *crs != "OGC:CRS84";
}
bool has_no_version(const Node& node) { return !node.logical().version(); }
bool has_no_values(const Node& node) {
  return node.children().size() == 1 && node.children()[0].children().size() == 1;
}
bool has_optional_keys(const Node& node) {
  return node.children().size() == 1 && !node.children()[0].children().empty() &&
         is_optional(node.children()[0].children()[0]);
}
template <int kBits>
bool is_unsigned(const Node& node) {
  return !node.logical().is_signed() && node.logical().bits() == kBits;
}
template <PhysicalType kPhysical>
bool is_physical(const Node& node) {
  return !node.is_group() && node.physical() == kPhysical;
}
bool is_utc_int64(const Node& node) {
  return is_utc(node) && is_physical<PhysicalType::Int64>(node);
}
bool is_local_int64(const Node& node) {
  return is_local(node) && is_physical<PhysicalType::Int64>(node);
}
bool is_interval_alone(const Node& node) { return !parquet::is_next_to_unknown(node); }
bool is_other_than_int32(const Node& node) { return !is_physical<PhysicalType::Int32>(node); }
bool has_converted(const Node& node) { return node.annotation().converted.has_value(); }
bool is_unshredded(const Node& node) { return !parquet::is_shredded_variant(node); }
bool is_optional_real(const Node& node) {
  return is_optional(node) &&
         (is_physical<PhysicalType::Float>(node) || is_physical<PhysicalType::Double>(node));
}
bool is_wide_decimal(const Node& node) {
  return is_physical<PhysicalType::FixedLenByteArray>(node) && node.length() > 16 &&
         !beyond_38(node);
}
bool is_of_varied_length(const Node& node) {
  return is_physical<PhysicalType::ByteArray>(node) && !beyond_76(node);
}
bool is_of_varied_length_to_38(const Node& node) {
  return is_of_varied_length(node) && !beyond_38(node);
}
bool is_short_in_int64(const Node& node) {
  return is_physical<PhysicalType::Int64>(node) && node.logical().precision() <= 9;
}
bool is_narrow(const Node& node) { return node.logical().bits() < 32; }
bool is_not_micros(const Node& node) { return node.logical().unit() != TimeUnit::Micros; }
bool is_short_in_bytes(const Node& node) {
  return is_physical<PhysicalType::ByteArray>(node) && node.logical().precision() <= 18;
}

// `upload_parquet` of ytsaurus-yson determines the schema of the table that it creates. The same
// holds for `attach_table`, whose conversion from Parquet to Arrow is run on Arrow 20, as in
// YTsaurus, and whose conversion to a table is yt/yt/client/arrow/schema.cpp. The others were
// queried for type and values. tests/python/reader_table_test.py runs them again.
constexpr ParquetRow kRows[] = {
    {kPyarrow, Kind::None, is_physical<PhysicalType::Int96>, "timestamp[ns]: {} become others",
     Effect::Altered, "", kBeyondNanos},
    {kPyarrow, Kind::Enum, nullptr, "binary: bytes"},
    {kPyarrow, Kind::Interval, is_interval_alone, "fixed_size_binary: bytes"},
    {kPyarrow, Kind::Decimal, is_wide_decimal, "refuses the file: DECIMAL on more than 16 bytes"},
    {kPyarrow, Kind::Map, has_optional_keys, "refuses the file: a map of optional keys"},
    {kPyarrow, Kind::Variant, is_unshredded, "struct: metadata and value, bytes"},
    {kPyarrow, Kind::Geometry, nullptr, "binary: WKB without its CRS"},
    {kPyarrow, Kind::Geography, nullptr, "binary: WKB without its CRS"},

    {kDuckdb, Kind::None, is_physical<PhysicalType::Int96>, "TIMESTAMP: {} are lost",
     Effect::Altered, "", kFinerThanMicros},
    {kDuckdb, Kind::Time, is_utc_nanos, "TIME WITH TIME ZONE: {} are lost", Effect::Altered, "",
     kFinerThanMicros},
    {kDuckdb, Kind::Json, nullptr, "its JSON functions fail on {}", Effect::None, "",
     kHalfSurrogates},
    {kDuckdb, Kind::Bson, has_converted, "refuses the file: BSON"},
    {kDuckdb, Kind::Interval, is_interval_alone, "INTERVAL: {} become negative", Effect::Altered,
     "", kFarIntervals},
    {kDuckdb, Kind::Variant, nullptr,
     "VARIANT: integers get other widths, and its null becomes NULL", Effect::Altered},
    {kDuckdb, Kind::Geometry, has_other_crs, "GEOMETRY: without its CRS"},
    {kDuckdb, Kind::Geography, nullptr, "GEOMETRY: its edges are no longer on the ellipsoid"},

    {kDatafusion, Kind::None, is_physical<PhysicalType::Int96>, "timestamp[ns]: {} become others",
     Effect::Altered, "", kBeyondNanos},
    {kDatafusion, Kind::Interval, is_interval_alone, "day_time_interval: {} are lost",
     Effect::Altered, "", kMonths},
    {kDatafusion, Kind::Enum, nullptr, "binary_view: bytes without ARROW:schema"},
    {kDatafusion, Kind::Uuid, nullptr, "fixed_size_binary: bytes, no longer a uuid"},
    {kDatafusion, Kind::Variant, is_unshredded, "struct: metadata and value, bytes"},
    {kDatafusion, Kind::Geometry, nullptr, "binary: WKB without its CRS"},
    {kDatafusion, Kind::Geography, nullptr, "binary: WKB without its CRS"},

    {kPolars, Kind::None, is_physical<PhysicalType::Int96>, "Datetime: {} are shown as the nearest",
     Effect::Altered, "", kBeyondNanos},
    {kPolars, Kind::Json, nullptr, "Binary: bytes without ARROW:schema"},
    {kPolars, Kind::Map, nullptr, "Map: the last of equal keys remains", Effect::Altered},
    {kPolars, Kind::Interval, nullptr, "cannot read INTERVAL (not run since 2026-11-28)"},
    {kPolars, Kind::Unknown, is_other_than_int32,
     "refuses the file: UNKNOWN on another type than int32"},
    {kPolars, Kind::Variant, nullptr, "refuses the file: VARIANT"},
    {kPolars, Kind::Uuid, nullptr, "Binary: bytes, no longer a uuid"},
    {kPolars, Kind::Decimal, is_wide_decimal, "refuses the file: DECIMAL on more than 16 bytes"},
    {kPolars, Kind::Map, has_optional_keys, "refuses the file: a map of optional keys"},
    {kPolars, Kind::Geometry, nullptr, "refuses the file: GEOMETRY", Effect::None, kGeoparquet},
    {kPolars, Kind::Geography, nullptr, "refuses the file: GEOGRAPHY", Effect::None, kGeoparquet},

    {kUpload, Kind::None, is_physical<PhysicalType::Int96>, "int64: a number of nanoseconds"},
    {kUpload, Kind::String, nullptr, "string: bytes, no longer utf8"},
    {kUpload, Kind::Enum, nullptr, "string: bytes"},
    {kUpload, Kind::Json, nullptr, "string: bytes, no longer json"},
    {kUpload, Kind::Bson, nullptr, "string: bytes"},
    {kUpload, Kind::Uuid, nullptr, "string: bytes, no longer a uuid"},
    {kUpload, Kind::Interval, is_interval_alone, "string: bytes"},
    {kUpload, Kind::Date, nullptr, "int32: a number of days"},
    {kUpload, Kind::Time, is_millis, "int32: a number of milliseconds"},
    {kUpload, Kind::Time, is_finer, "int64: a number"},
    {kUpload, Kind::Timestamp, nullptr, "int64: a number, without its unit and zone"},
    {kUpload, Kind::Decimal, is_36_to_76, "string: more than 35 digits"},
    {kUpload, Kind::Decimal, beyond_76, "refuses the file: more than 76 digits"},
    {kUpload, Kind::Map, has_optional_keys, "refuses the file: a map of optional keys"},
    {kUpload, Kind::Float16, nullptr, "cannot read FLOAT16 (not run since 2026-11-28)"},
    {kUpload, Kind::Unknown, nullptr, "cannot read a column of nulls (not run since 2026-11-28)"},
    {kUpload, Kind::Variant, nullptr, "cannot read VARIANT (not run since 2026-11-28)"},
    {kUpload, Kind::Geometry, nullptr, "cannot read GEOMETRY (not run since 2026-11-28)"},
    {kUpload, Kind::Geography, nullptr, "cannot read GEOGRAPHY (not run since 2026-11-28)"},

    {kAttach, Kind::None, is_physical<PhysicalType::Int96>, "int64: a number of nanoseconds"},
    {kAttach, Kind::Enum, nullptr, "string: bytes"},
    {kAttach, Kind::Json, nullptr, "utf8: text, no longer json"},
    {kAttach, Kind::Bson, nullptr, "string: bytes"},
    {kAttach, Kind::Uuid, nullptr, "string: bytes, no longer a uuid"},
    {kAttach, Kind::Interval, is_interval_alone, "string: bytes"},
    {kAttach, Kind::Date, nullptr, "int32: a number of days"},
    {kAttach, Kind::Time, is_millis, "int32: a number of milliseconds"},
    {kAttach, Kind::Time, is_finer, "int64: a number"},
    {kAttach, Kind::Timestamp, nullptr, "int64: a number, without its unit and zone"},
    {kAttach, Kind::Decimal, is_36_to_76, "string: more than 35 digits"},
    {kAttach, Kind::Decimal, beyond_76, "refuses the file: more than 76 digits"},
    {kAttach, Kind::Map, has_optional_keys, "refuses the file: a map of optional keys"},
    {kAttach, Kind::Float16, nullptr, "float"},
    {kAttach, Kind::Variant, nullptr, "refuses the file: VARIANT"},
    {kAttach, Kind::Geometry, nullptr, "string: bytes"},
    {kAttach, Kind::Geography, nullptr, "string: bytes"},

    {kSpark, Kind::Integer, is_unsigned<8>, "smallint"},
    {kSpark, Kind::Integer, is_unsigned<16>, "int"},
    {kSpark, Kind::Integer, is_unsigned<32>, "bigint"},
    {kSpark, Kind::Integer, is_unsigned<64>, "decimal(20,0)"},
    {kSpark, Kind::Time, nullptr, "refuses the file: TIME"},
    {kSpark, Kind::Timestamp, is_local_nanos, "refuses the file: nanoseconds", Effect::None,
     "timestamp[us]"},
    {kSpark, Kind::Timestamp, is_utc_nanos, "refuses the file: nanoseconds", Effect::None,
     "timestamp[us, tz=UTC]"},
    {kSpark, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kSpark, Kind::Uuid, nullptr, "refuses the file: UUID", Effect::None,
     "storage:fixed_size_binary[16]"},
    {kSpark, Kind::Float16, nullptr, "refuses the file: FLOAT16", Effect::None, "float"},
    {kSpark, Kind::Unknown, nullptr, "int"},
    {kSpark, Kind::Interval, nullptr, "refuses the file: INTERVAL"},
    {kSpark, Kind::None, is_physical<PhysicalType::Int96>, "timestamp: {} are lost",
     Effect::Altered, "", kFinerThanMicros},
    {kSpark, Kind::Decimal, is_short_in_bytes, "refuses the file: up to 18 digits on BYTE_ARRAY"},
    {kSpark, Kind::Timestamp, is_physical<PhysicalType::FixedLenByteArray>,
     "refuses the file: TIMESTAMP on 12 bytes"},
    {kSpark, Kind::Geometry, has_other_crs, "refuses the file: a CRS other than OGC:CRS84"},
    {kSpark, Kind::Geography, has_other_crs, "refuses the file: a CRS other than OGC:CRS84"},
    {kSpark, Kind::Variant, has_no_version, "refuses the file: VARIANT without a version"},
    {kSpark, Kind::Map, has_no_values, "refuses the file: a map without values"},

    {kClickhouse, Kind::Time, nullptr, "DateTime64: an instant on 1970-01-01", Effect::Altered},
    {kClickhouse, Kind::Timestamp, is_local, "DateTime64 in UTC: local time becomes an instant",
     Effect::Altered},
    {kClickhouse, Kind::Timestamp, is_local_int64, "{} are shown as the nearest", Effect::Altered,
     "", kFarTimes},
    {kClickhouse, Kind::Timestamp, is_utc_int64, "DateTime64: {} are shown as the nearest",
     Effect::Altered, "", kFarTimes},
    {kClickhouse, Kind::Timestamp, is_physical<PhysicalType::FixedLenByteArray>,
     "refuses the file: TIMESTAMP on 12 bytes"},
    {kClickhouse, Kind::Date, nullptr, "Date32: {} are an error", Effect::None, "", kFarDays},
    {kClickhouse, Kind::Json, nullptr, "JSON: {} are an error", Effect::None, "", kNoObjects},
    {kClickhouse, Kind::None, is_physical<PhysicalType::Int96>, "DateTime64: {} are an error",
     Effect::None, "", kBeyondNanos},
    {kClickhouse, Kind::Decimal, is_of_varied_length,
     "Decimal: values with more bytes than they need are an error"},
    {kClickhouse, Kind::Decimal, beyond_76, "refuses the file: more than 76 digits"},
    {kClickhouse, Kind::Interval, nullptr, "FixedString(12): bytes"},
    {kClickhouse, Kind::Unknown, nullptr, "Nullable(Int32)"},
    {kClickhouse, Kind::List, is_optional, "an array without nulls: {} become []", Effect::Altered,
     "", kNulls},
    {kClickhouse, Kind::Map, is_optional, "a map without nulls: {} become {{}}", Effect::Altered,
     "", kNulls},
    {kClickhouse, Kind::Variant, nullptr, "a tuple of bytes"},
    {kClickhouse, Kind::Geometry, nullptr, "refuses the file: GEOMETRY", Effect::None, kGeoparquet},
    {kClickhouse, Kind::Geography, nullptr, "refuses the file: GEOGRAPHY", Effect::None,
     kGeoparquet},

    {kDaft, Kind::None, is_physical<PhysicalType::Int96>, "Timestamp[ns]: {} become others",
     Effect::Altered, "", kBeyondNanos},
    {kDaft, Kind::Time, is_millis, "refuses the file: TIME in milliseconds", Effect::None,
     "time64[us]"},
    {kDaft, Kind::Interval, nullptr, "refuses the file: INTERVAL"},
    {kDaft, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kDaft, Kind::Decimal, is_wide_decimal, "refuses the file: DECIMAL on more than 16 bytes"},
    {kDaft, Kind::Variant, is_unshredded, "Extension: metadata and value, bytes"},
    {kDaft, Kind::Enum, nullptr, "Binary: bytes without ARROW:schema"},
    {kDaft, Kind::Geometry, nullptr, "Extension: WKB"},
    {kDaft, Kind::Geometry, nullptr, "Binary: WKB without ARROW:schema"},
    {kDaft, Kind::Geography, nullptr, "Extension: WKB"},
    {kDaft, Kind::Geography, nullptr, "Binary: WKB without ARROW:schema"},

    {kFastparquet, Kind::None, is_physical<PhysicalType::Int96>, "datetime64[ns]: {} become others",
     Effect::Altered, "", kBeyondNanos},
    {kFastparquet, Kind::None, is_physical<PhysicalType::FixedLenByteArray>, "object: {} are lost",
     Effect::Altered, "", kZerosAtEnd},
    {kFastparquet, Kind::None, is_optional_real, "float: {} become NaN", Effect::Altered, "",
     kNulls},
    {kFastparquet, Kind::Enum, nullptr, "object: bytes"},
    {kFastparquet, Kind::Json, nullptr, "object: parsed values"},
    {kFastparquet, Kind::Bson, nullptr, "refuses the file: BSON"},
    {kFastparquet, Kind::Uuid, nullptr, "object: bytes, no longer a uuid"},
    {kFastparquet, Kind::Uuid, nullptr, "{} are lost", Effect::Altered, "", kZerosAtEnd},
    {kFastparquet, Kind::Float16, nullptr, "object: two bytes for a number"},
    {kFastparquet, Kind::Decimal, nullptr, "float64: the nearest double or the one next to it",
     Effect::Altered},
    {kFastparquet, Kind::Date, nullptr, "datetime64[ns]: {} become others", Effect::Altered, "",
     kDaysBeyondNanos},
    {kFastparquet, Kind::Time, is_not_nanos, "timedelta64: a duration"},
    {kFastparquet, Kind::Time, is_nanos, "int64: a number of nanoseconds"},
    {kFastparquet, Kind::Timestamp, is_utc, "datetime64: an instant becomes local time",
     Effect::Altered},
    {kFastparquet, Kind::Map, nullptr, "object: the last of equal keys remains", Effect::Altered},
    {kFastparquet, Kind::Interval, nullptr, "refuses the file: INTERVAL"},
    {kFastparquet, Kind::Unknown, nullptr, "Int32"},
    {kFastparquet, Kind::Variant, nullptr, "a column for each of its parts"},
    {kFastparquet, Kind::Geometry, nullptr, "object: WKB without its CRS"},
    {kFastparquet, Kind::Geography, nullptr, "refuses the file: GEOGRAPHY", Effect::None,
     kGeoparquet},

    {kHyparquet, Kind::None, is_physical<PhysicalType::Int96>,
     "Date: local time becomes an instant", Effect::Altered},
    {kHyparquet, Kind::None, is_physical<PhysicalType::Int96>, "{} are lost", Effect::Altered, "",
     kFinerThanMillis},
    {kHyparquet, Kind::None, is_physical<PhysicalType::ByteArray>, "string: {} become others",
     Effect::Altered, "", kNotUtf8},
    {kHyparquet, Kind::Json, nullptr, "object: parsed, numbers beyond 2^53 are rounded",
     Effect::Altered},
    {kHyparquet, Kind::Bson, nullptr, "refuses the file: BSON"},
    {kHyparquet, Kind::Decimal, nullptr, "number: no longer a decimal"},
    {kHyparquet, Kind::Decimal, nullptr, "{} may be wrong", Effect::Altered, "", kDigitsOfDouble},
    {kHyparquet, Kind::Date, nullptr, "Date: the midnight of each day in UTC"},
    {kHyparquet, Kind::Time, is_millis, "number: of milliseconds"},
    {kHyparquet, Kind::Time, is_finer, "bigint: a number without its unit"},
    {kHyparquet, Kind::Timestamp, is_local, "Date: local time becomes an instant", Effect::Altered},
    {kHyparquet, Kind::Timestamp, is_finer, "Date: {} are lost", Effect::Altered, "",
     kFinerThanMillis},
    {kHyparquet, Kind::Interval, nullptr, "refuses the file: INTERVAL"},
    {kHyparquet, Kind::Map, nullptr, "object: keys become text, the last of equal keys remains",
     Effect::Altered},
    {kHyparquet, Kind::Variant, nullptr, "decoded values, of types that JavaScript has"},
    {kHyparquet, Kind::Geometry, nullptr, "object: GeoJSON without its CRS"},
    {kHyparquet, Kind::Geography, nullptr, "object: GeoJSON without its CRS and edges"},

    {kCarquet, Kind::None, is_physical<PhysicalType::Int96>, "fixed_size_binary: bytes"},
    {kCarquet, Kind::Decimal, is_physical<PhysicalType::Int32>, "int32: its digits as an integer",
     Effect::Altered},
    {kCarquet, Kind::Decimal, is_physical<PhysicalType::Int64>, "int64: its digits as an integer",
     Effect::Altered},
    {kCarquet, Kind::Decimal, is_physical<PhysicalType::ByteArray>, "binary: bytes"},
    {kCarquet, Kind::Decimal, is_physical<PhysicalType::FixedLenByteArray>,
     "fixed_size_binary: bytes"},
    {kCarquet, Kind::Interval, nullptr, "fixed_size_binary: bytes"},
    {kCarquet, Kind::Unknown, nullptr, "int32"},
    {kCarquet, Kind::Uuid, nullptr, "fixed_size_binary: bytes, no longer a uuid"},
    {kCarquet, Kind::Variant, is_unshredded, "struct: metadata and value, bytes"},
    {kCarquet, Kind::Geometry, nullptr, "binary: WKB without its CRS"},
    {kCarquet, Kind::Geography, nullptr, "binary: WKB without its CRS"},

    {kPyiceberg, Kind::None, is_physical<PhysicalType::Int96>, "refuses the file: nanoseconds"},
    {kPyiceberg, Kind::Enum, nullptr, "binary: bytes"},
    {kPyiceberg, Kind::Json, nullptr, "refuses the file: arrow.json"},
    {kPyiceberg, Kind::Interval, is_interval_alone, "fixed: bytes"},
    {kPyiceberg, Kind::Integer, is_narrow, "int: of 32 bits"},
    {kPyiceberg, Kind::Integer, is_unsigned<32>, "int: {} are an error", Effect::None, "",
     kBeyondInt32},
    {kPyiceberg, Kind::Integer, is_unsigned<64>, "long: {} are an error", Effect::None, "",
     kBeyondInt64},
    {kPyiceberg, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kPyiceberg, Kind::Decimal, is_wide_decimal, "refuses the file: DECIMAL on more than 16 bytes"},
    {kPyiceberg, Kind::Decimal, is_of_varied_length_to_38,
     "refuses the file: DECIMAL on BYTE_ARRAY"},
    {kPyiceberg, Kind::Decimal, is_short_in_int64,
     "refuses the file: up to 9 digits on another type than INT32"},
    {kPyiceberg, Kind::Map, has_optional_keys, "refuses the file: a map of optional keys"},
    {kPyiceberg, Kind::Time, is_not_micros, "refuses the file: TIME, but not in microseconds"},
    {kPyiceberg, Kind::Timestamp, is_nanos, "refuses the file: nanoseconds"},
    {kPyiceberg, Kind::Unknown, nullptr, "refuses the file: UNKNOWN"},
    {kPyiceberg, Kind::Float16, nullptr, "refuses the file: FLOAT16"},
    {kPyiceberg, Kind::Variant, is_unshredded, "struct: metadata and value, bytes"},
    {kPyiceberg, Kind::Geometry, nullptr, "binary: WKB without its CRS"},
    {kPyiceberg, Kind::Geography, nullptr, "binary: WKB without its CRS"},

    {kArrowGo, Kind::None, is_physical<PhysicalType::Int96>,
     "timestamp[ns, tz=UTC]: local time becomes an instant", Effect::Altered},
    {kArrowGo, Kind::None, is_physical<PhysicalType::Int96>, "{} are an error", Effect::None, "",
     kBeyondNanos},
    {kArrowGo, Kind::Enum, nullptr, "binary: bytes"},
    {kArrowGo, Kind::Json, nullptr, "binary: bytes, no longer json"},
    {kArrowGo, Kind::Interval, nullptr, "fixed_size_binary: bytes"},
    {kArrowGo, Kind::Decimal, is_wide_decimal, "refuses the file: DECIMAL on more than 16 bytes"},
    {kArrowGo, Kind::Decimal, beyond_76, "refuses the file: more than 76 digits"},
    {kArrowGo, Kind::Map, has_optional_keys, "refuses the file: a map of optional keys"},
    {kArrowGo, Kind::Geometry, nullptr, "binary: WKB without its CRS"},
    {kArrowGo, Kind::Geography, nullptr, "binary: WKB without its CRS"},
};

}  // namespace parquet_table

}  // namespace

std::span<const ParquetRow> parquet_rows() { return parquet_table::kRows; }

}  // namespace xwalk::crosswalk
