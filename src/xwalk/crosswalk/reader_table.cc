#include "xwalk/crosswalk/reader_table.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "xwalk/base/time_text.h"
#include "xwalk/crosswalk/reader_versions.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/parquet/variant.h"
#include "xwalk/vortex/extension.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

namespace xwalk::crosswalk {
namespace {

// Names in the tables, so that a row fits on a line.
constexpr std::string_view kAttach = "attach_table";
constexpr std::string_view kChyt = "CHYT";
constexpr std::string_view kClickhouse = "ClickHouse";
constexpr std::string_view kClient = "ytsaurus-client";
constexpr std::string_view kDuckdbLance = "DuckDB's lance";
constexpr std::string_view kDuckdbVortex = "DuckDB's vortex";
constexpr std::string_view kPylance = "pylance";
constexpr std::string_view kSpark = "Spark";
constexpr std::string_view kSpyt = "SPYT";
constexpr std::string_view kUpload = "upload_parquet";
constexpr std::string_view kVortexData = "vortex-data";
constexpr std::string_view kYtsaurusOf = "ClickHouse's ytsaurus";

using hub::Effect;
using Values = ValueCondition::Kind;

constexpr Int128 kNanosOfDay = Int128{86'400} * 1'000'000'000;

/// Returns the nanoseconds between 1970 and the first day of a year.
constexpr Int128 start_of(int64_t year) { return days_from_civil({year, 1, 1}) * kNanosOfDay; }

// Values that remarks are about.
constexpr ValueCondition kNulls{Values::Null};
constexpr ValueCondition kNoObjects{Values::NotAnObject};
constexpr ValueCondition kHalfSurrogates{Values::HalfSurrogate};
constexpr ValueCondition kNotUtf8{Values::NotUtf8};
constexpr ValueCondition kZerosAtEnd{Values::EndsInZero};
constexpr ValueCondition kMonths{Values::WithMonths};
constexpr ValueCondition kFarIntervals{Values::FarInterval};
constexpr ValueCondition kBeyondNanos{Values::TimeOutside, INT64_MIN, INT64_MAX};
constexpr ValueCondition kFarTimes{Values::TimeOutside, start_of(0), start_of(10'000) - 1};
constexpr ValueCondition kFarDays{Values::DayOutside, start_of(0), start_of(10'000) - 1};
constexpr ValueCondition kDaysBeyondShort{Values::DayOutside, 0, UINT16_MAX* kNanosOfDay};
constexpr ValueCondition kDaysBeyondNanos{Values::DayOutside, INT64_MIN, INT64_MAX};
constexpr ValueCondition kFinerThanMicros{Values::FinerThan, 1000};
constexpr ValueCondition kFinerThanMillis{Values::FinerThan, 1'000'000};

// Polars and DuckDB read Lance and Vortex through the dataset of pylance and vortex-data. DuckDB's
// extensions read the files directly.
constexpr Reader kReaders[] = {
    {parquet::kModule, kPyarrow, version::kPyarrow},
    {parquet::kModule, kDuckdb, version::kDuckdb},
    {parquet::kModule, kDatafusion, version::kDatafusion, Known::Ran, "2026-11-29"},
    {parquet::kModule, kPolars, version::kPolars},
    {parquet::kModule, kUpload, version::kUpload},
    {parquet::kModule, kAttach, "da0fcc1", Known::Source, "2026-11-22"},
    {parquet::kModule, kSpark, version::kSpark},
    {parquet::kModule, kClickhouse, version::kClickhouse},
    {parquet::kModule, kDaft, version::kDaft, Known::Ran, "2026-11-29"},
    {parquet::kModule, kFastparquet, version::kFastparquet, Known::Ran, "2026-11-29"},
    {parquet::kModule, kHyparquet, version::kHyparquet, Known::Ran, "2026-11-29"},
    {parquet::kModule, kArrowGo, version::kArrowGo, Known::Ran, "2026-11-29"},

    {lance::kModule, kPylance, version::kPylance},
    {lance::kModule, kPolars, version::kPolars},
    {lance::kModule, kDuckdb, version::kDuckdb},
    {lance::kModule, kDuckdbLance, version::kDuckdbLance, Known::Ran, "2026-11-22"},

    {vortex::kModule, kVortexData, version::kVortexData},
    {vortex::kModule, kPolars, version::kPolars},
    {vortex::kModule, kDuckdb, version::kDuckdb},
    {vortex::kModule, kDuckdbVortex, version::kDuckdbVortex, Known::Ran, "2026-11-22"},

    {yt::kModule, kClient, version::kClient},
    {yt::kModule, kSpyt, version::kSpyt, Known::Ran, "2026-11-22"},
    {yt::kModule, kChyt, "2dd26c6", Known::Source, "2026-11-22"},
    {yt::kModule, kYtsaurusOf, version::kClickhouse},
};

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
bool beyond_35(const Node& node) { return node.logical().precision() > 35; }
bool beyond_38(const Node& node) { return node.logical().precision() > 38; }
bool is_utc_nanos(const Node& node) { return is_nanos(node) && !is_local(node); }
bool is_local_nanos(const Node& node) { return is_nanos(node) && is_local(node); }
bool beyond_76(const Node& node) { return node.logical().precision() > 76; }
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
    {kPyarrow, Kind::Interval, nullptr, "fixed_size_binary: bytes"},
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
    {kDuckdb, Kind::Interval, nullptr, "INTERVAL: {} become negative", Effect::Altered, "",
     kFarIntervals},
    {kDuckdb, Kind::Geometry, has_other_crs, "GEOMETRY: without its CRS"},
    {kDuckdb, Kind::Geography, nullptr, "GEOMETRY: its edges are no longer on the ellipsoid"},

    {kDatafusion, Kind::None, is_physical<PhysicalType::Int96>, "timestamp[ns]: {} become others",
     Effect::Altered, "", kBeyondNanos},
    {kDatafusion, Kind::Interval, nullptr, "day_time_interval: {} are lost", Effect::Altered, "",
     kMonths},
    {kDatafusion, Kind::Uuid, nullptr, "fixed_size_binary: bytes, no longer a uuid"},
    {kDatafusion, Kind::Variant, is_unshredded, "struct: metadata and value, bytes"},
    {kDatafusion, Kind::Geometry, nullptr, "binary: WKB without its CRS"},
    {kDatafusion, Kind::Geography, nullptr, "binary: WKB without its CRS"},

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
    {kUpload, Kind::Interval, nullptr, "string: bytes"},
    {kUpload, Kind::Date, nullptr, "int32: a number of days"},
    {kUpload, Kind::Time, is_millis, "int32: a number of milliseconds"},
    {kUpload, Kind::Time, is_finer, "int64: a number"},
    {kUpload, Kind::Timestamp, nullptr, "int64: a number, without its unit and zone"},
    {kUpload, Kind::Decimal, beyond_35, "string: more than 35 digits"},
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
    {kAttach, Kind::Interval, nullptr, "string: bytes"},
    {kAttach, Kind::Date, nullptr, "int32: a number of days"},
    {kAttach, Kind::Time, is_millis, "int32: a number of milliseconds"},
    {kAttach, Kind::Time, is_finer, "int64: a number"},
    {kAttach, Kind::Timestamp, nullptr, "int64: a number, without its unit and zone"},
    {kAttach, Kind::Decimal, beyond_35, "string: more than 35 digits"},
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
    {kDaft, Kind::Geometry, nullptr, "Extension: WKB, or bytes without ARROW:schema"},
    {kDaft, Kind::Geography, nullptr, "Extension: WKB, or bytes without ARROW:schema"},

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

namespace lance_table {

using lance::Kind;
using lance::LogicalType;

bool is_nanos(const LogicalType& type) { return type.unit() == hub::TimeUnit::Nano; }
bool is_zoned_nanos(const LogicalType& type) { return is_nanos(type) && !type.zone().empty(); }
bool beyond_38(const LogicalType& type) { return type.precision() > 38; }
bool of_bfloat16(const LogicalType& type) { return type.element().kind() == Kind::BFloat16; }

constexpr LanceRow kRows[] = {
    {kPolars, Kind::Date64, nullptr, "Datetime: the midnight of each day"},
    {kPolars, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kPolars, Kind::FixedSizeList, of_bfloat16, "Array: two bytes for a number"},

    {kDuckdb, Kind::HalfFloat, nullptr, "refuses the file: halffloat", Effect::None, "float"},
    {kDuckdb, Kind::Duration, is_nanos, "INTERVAL: {} are lost", Effect::Altered, "",
     kFinerThanMicros},
    {kDuckdb, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kDuckdb, Kind::FixedSizeList, of_bfloat16, "BLOB: two bytes for a number"},

    {kDuckdbLance, Kind::Timestamp, is_zoned_nanos, "TIMESTAMP WITH TIME ZONE: {} are lost",
     Effect::Altered, "", kFinerThanMicros},
    {kDuckdbLance, Kind::Duration, is_nanos, "INTERVAL: {} are lost", Effect::Altered, "",
     kFinerThanMicros},
    {kDuckdbLance, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kDuckdbLance, Kind::FixedSizeList, of_bfloat16, "BLOB: two bytes for a number"},
    {kDuckdbLance, Kind::Json, nullptr, "refuses the file: json"},
};

}  // namespace lance_table

namespace vortex_table {

using vortex::DType;
using vortex::Kind;

bool is_half(const DType& type) { return type.ptype() == vortex::PType::F16; }
bool beyond_38(const DType& type) { return type.precision() > 38; }
bool is_unknown(const DType& type) { return !vortex::is_known_extension(type.id()); }
bool is_uuid(const DType& type) { return type.id() == vortex::kUuidId; }
bool is_json(const DType& type) { return type.id() == vortex::kJsonId; }
bool in_unit(const DType& type, std::string_view id, vortex::TimeUnit unit) {
  return type.id() == id && vortex::read_temporal_metadata(id, type.metadata()).unit == unit;
}
bool is_date_in_millis(const DType& type) {
  return in_unit(type, vortex::kDateId, vortex::TimeUnit::Milliseconds);
}
bool is_coarse_time(const DType& type) {
  return in_unit(type, vortex::kTimeId, vortex::TimeUnit::Seconds) ||
         in_unit(type, vortex::kTimeId, vortex::TimeUnit::Milliseconds);
}
bool is_time_in_nanos(const DType& type) {
  return in_unit(type, vortex::kTimeId, vortex::TimeUnit::Nanoseconds);
}
bool is_zoned_otherwise(const DType& type) {
  if (type.id() != vortex::kTimestampId) return false;
  const auto [unit, zone] = vortex::read_temporal_metadata(type.id(), type.metadata());
  return !zone.empty() && (unit != vortex::TimeUnit::Microseconds || zone != "UTC");
}

// vortex-data cannot make files with unions or with extensions that it does not know.
// tests/vectors/vortex has the errors with which it refuses to read them.
constexpr VortexRow kRows[] = {
    {kVortexData, Kind::Extension, is_unknown, "refuses the file: an extension it does not know"},
    {kVortexData, Kind::Union, nullptr, "refuses the file: a union"},

    {kPolars, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kPolars, Kind::Extension, is_unknown, "refuses the file: an extension it does not know"},
    {kPolars, Kind::Extension, is_uuid, "Binary: bytes, no longer a uuid"},
    {kPolars, Kind::Extension, is_date_in_millis, "Datetime: the midnight of each day"},
    {kPolars, Kind::Variant, nullptr, "Extension: bytes, not values"},
    {kPolars, Kind::Union, nullptr, "refuses the file: a union"},

    {kDuckdb, Kind::Primitive, is_half, "refuses the file: f16", Effect::None, "float"},
    {kDuckdb, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kDuckdb, Kind::Extension, is_unknown, "refuses the file: an extension it does not know"},
    {kDuckdb, Kind::Union, nullptr, "refuses the file: a union"},

    {kDuckdbVortex, Kind::Primitive, is_half, "refuses the file: f16", Effect::None, "float"},
    {kDuckdbVortex, Kind::Decimal, beyond_38,
     "cannot read more than 38 digits (not run since 2026-11-28)"},
    {kDuckdbVortex, Kind::Extension, is_unknown, "refuses the file: an extension it does not know"},
    {kDuckdbVortex, Kind::Extension, is_uuid, "refuses the file: vortex.uuid", Effect::None,
     "utf8"},
    {kDuckdbVortex, Kind::Extension, is_json, "cannot read vortex.json (not run since 2026-11-28)"},
    {kDuckdbVortex, Kind::Extension, is_date_in_millis, "refuses the file: a date in milliseconds"},
    {kDuckdbVortex, Kind::Extension, is_coarse_time,
     "refuses the file: a time in seconds or milliseconds"},
    {kDuckdbVortex, Kind::Extension, is_time_in_nanos,
     "cannot read a time in nanoseconds (not run since 2026-11-28)"},
    {kDuckdbVortex, Kind::Extension, is_zoned_otherwise,
     "refuses the file: a zone, but not microseconds in UTC"},
    {kDuckdbVortex, Kind::Variant, nullptr, "refuses the file: a variant"},
    {kDuckdbVortex, Kind::Union, nullptr, "refuses the file: a union"},
    {kDuckdbVortex, Kind::Map, nullptr, "cannot read a map (not run since 2026-11-28)"},
};

}  // namespace vortex_table

namespace yt_table {

using yt::Type;
using Kind = yt::TypeKind;

bool beyond_38(const Type& type) { return type.precision() > 38; }
bool beyond_35(const Type& type) { return type.precision() > 35 && !beyond_38(type); }
bool holds_null(const Type& type) { return yt::is_nullable(type.item()); }
bool holds_container(const Type& type) {
  const Kind kind = yt::without_tags(type.item()).kind();
  return kind == Kind::List || kind == Kind::Dict;
}
bool holds_variant(const Type& type) {
  return yt::without_tags(type.item()).kind() == Kind::Variant;
}
bool is_named(const Type& type) {
  return !type.members().empty() && !type.members()[0].name.empty();
}
bool has_text(const Type& type) {
  return !is_named(type) && std::ranges::any_of(type.members(), [](const yt::Member& member) {
    return member.type.kind() == Kind::String || member.type.kind() == Kind::Utf8;
  });
}
bool has_no_text(const Type& type) { return !is_named(type) && !has_text(type); }
bool is_nested_or_any(const Type& type) {
  return type.item().composition() != yt::Composition::None || type.item().kind() == Kind::Yson;
}
/// Types that ClickHouse knows as columns, by their older name, and not within others.
bool is_column_only(const Type& type) {
  const Kind kind = type.kind() == Kind::Optional ? type.item().kind() : type.kind();
  return kind == Kind::Decimal || kind == Kind::Tagged;
}
bool has_such_item(const Type& type) { return is_column_only(type.item()); }
bool has_such_value(const Type& type) {
  return is_column_only(type.key()) || is_column_only(type.value());
}
bool has_such_member(const Type& type) {
  return std::ranges::any_of(type.members(),
                             [](const yt::Member& member) { return is_column_only(member.type); });
}

// The client's results are the Python values of its YSON rows. SPYT's are the types that its own
// classes derive from a schema, and those written back. How its jobs convert values was not run,
// because it takes a cluster. CHYT's are those of yt/chyt/server/yt_to_ch_column_converter.cpp.
// ClickHouse's function was run with a proxy that answers as the API of version 3 does.
constexpr TableRow kRows[] = {
    {kClient, Kind::String, nullptr, "str: where its bytes happen to be UTF-8; else a proxy"},
    {kClient, Kind::Json, nullptr, "str: text"},
    {kClient, Kind::Uuid, nullptr, "bytes: a proxy, or str where they happen to be UTF-8"},
    {kClient, Kind::Decimal, nullptr, "bytes: a proxy, or str where they happen to be UTF-8"},
    {kClient, Kind::Date, nullptr, "int: a number of days"},
    {kClient, Kind::Datetime, nullptr, "int: a number of seconds"},
    {kClient, Kind::Timestamp, nullptr, "int: a number of microseconds"},
    {kClient, Kind::Interval, nullptr, "int: a number of microseconds"},
    {kClient, Kind::Date32, nullptr, "int: a number of days"},
    {kClient, Kind::Datetime64, nullptr, "int: a number of seconds"},
    {kClient, Kind::Timestamp64, nullptr, "int: a number of microseconds"},
    {kClient, Kind::Interval64, nullptr, "int: a number of microseconds"},
    {kClient, Kind::TzDate, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzDatetime, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzTimestamp, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzDate32, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzDatetime64, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::TzTimestamp64, nullptr, "bytes: the number and its zone"},
    {kClient, Kind::Optional, holds_null, "list: of the value, or of None"},
    {kClient, Kind::Tuple, nullptr, "list: of the elements"},
    {kClient, Kind::Variant, nullptr, "list: of the alternative and its value"},
    {kClient, Kind::Dict, nullptr, "list: of pairs"},

    {kSpyt, Kind::Uint8, nullptr, "smallint: written back as uint8"},
    {kSpyt, Kind::Uint16, nullptr, "int: written back as uint16"},
    {kSpyt, Kind::Uint32, nullptr, "bigint: written back as uint32"},
    {kSpyt, Kind::String, nullptr, "string: {} are shown as others", Effect::Altered, "", kNotUtf8},
    {kSpyt, Kind::Utf8, nullptr, "string: written back as string"},
    {kSpyt, Kind::Json, nullptr, "string: written back as json"},
    {kSpyt, Kind::Uuid, nullptr, "string: 16 bytes, written back as uuid"},
    {kSpyt, Kind::Interval, nullptr, "bigint: written back as int64"},
    {kSpyt, Kind::TzDate, nullptr, "refuses the table: tz_date"},
    {kSpyt, Kind::TzDatetime, nullptr, "refuses the table: tz_datetime"},
    {kSpyt, Kind::TzTimestamp, nullptr, "refuses the table: tz_timestamp"},
    {kSpyt, Kind::TzDate32, nullptr, "refuses the table: tz_date32"},
    {kSpyt, Kind::TzDatetime64, nullptr, "refuses the table: tz_datetime64"},
    {kSpyt, Kind::TzTimestamp64, nullptr, "refuses the table: tz_timestamp64"},
    {kSpyt, Kind::Void, nullptr, "void: written back as null"},
    {kSpyt, Kind::Decimal, beyond_35, "decimal: written back with 35 digits and a smaller scale"},
    {kSpyt, Kind::Decimal, beyond_38, "refuses the table: more than 38 digits"},
    {kSpyt, Kind::Optional, holds_null, "one optional: written back as one"},
    {kSpyt, Kind::Tuple, nullptr, "struct: _1, _2, written back as tuple"},
    {kSpyt, Kind::Variant, nullptr,
     "struct: a member for each alternative, written back as variant"},

    {kChyt, Kind::Utf8, nullptr, "String: bytes"},
    {kChyt, Kind::Json, nullptr, "String: text"},
    {kChyt, Kind::Yson, nullptr, "String: YSON"},
    {kChyt, Kind::Uuid, nullptr, "refuses the table: uuid"},
    {kChyt, Kind::Optional, holds_null, "one Nullable: null and a null within are one"},
    {kChyt, Kind::Optional, holds_container, "an empty one for {}", Effect::Altered, "", kNulls},
    {kChyt, Kind::Variant, nullptr, "String: YSON"},
    {kChyt, Kind::Tagged, nullptr, "String: YSON"},

    {kYtsaurusOf, Kind::Json, nullptr, "refuses the table: text of JSON"},
    {kYtsaurusOf, Kind::Yson, nullptr, "String: JSON, in which text has no quotes",
     Effect::Altered},
    {kYtsaurusOf, Kind::Date32, nullptr, "Date: {} become others or are an error", Effect::Altered,
     "", kDaysBeyondShort},
    {kYtsaurusOf, Kind::Datetime64, nullptr, "DateTime64: {} are shown as the nearest",
     Effect::Altered, "", kFarTimes},
    {kYtsaurusOf, Kind::Timestamp64, nullptr, "DateTime64: {} are shown as the nearest",
     Effect::Altered, "", kFarTimes},
    {kYtsaurusOf, Kind::Interval, nullptr, "Int64: a number of microseconds"},
    {kYtsaurusOf, Kind::Interval64, nullptr, "Int64: a number of microseconds"},
    {kYtsaurusOf, Kind::TzDate, nullptr, "refuses the table: tz_date"},
    {kYtsaurusOf, Kind::TzDatetime, nullptr, "refuses the table: tz_datetime"},
    {kYtsaurusOf, Kind::TzTimestamp, nullptr, "refuses the table: tz_timestamp"},
    {kYtsaurusOf, Kind::TzDate32, nullptr, "refuses the table: tz_date32"},
    {kYtsaurusOf, Kind::TzDatetime64, nullptr, "refuses the table: tz_datetime64"},
    {kYtsaurusOf, Kind::TzTimestamp64, nullptr, "refuses the table: tz_timestamp64"},
    {kYtsaurusOf, Kind::Null, nullptr, "refuses the table: null"},
    {kYtsaurusOf, Kind::Void, nullptr, "refuses the table: void"},
    {kYtsaurusOf, Kind::Decimal, nullptr, "String: the stored bytes"},
    {kYtsaurusOf, Kind::Optional, holds_null, "refuses the table: an optional of an optional"},
    {kYtsaurusOf, Kind::Optional, holds_container, "refuses the table: an optional list or dict"},
    {kYtsaurusOf, Kind::Optional, holds_variant, "refuses the table: an optional variant"},
    {kYtsaurusOf, Kind::List, has_such_item, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Dict, has_such_value, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Struct, has_such_member, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Tuple, has_such_member, "refuses the table: decimals or tags within"},
    {kYtsaurusOf, Kind::Variant, is_named, "refuses the table: a variant with names"},
    {kYtsaurusOf, Kind::Variant, has_text, "Variant: the text of a pair"},
    {kYtsaurusOf, Kind::Variant, has_no_text, "refuses the table: a variant without text"},
    {kYtsaurusOf, Kind::Tagged, is_nested_or_any, "refuses the table: tagged"},
};

}  // namespace yt_table

}  // namespace

std::string title_of(const Reader& reader) {
  return fmt::format("{} {}{}", reader.name, reader.version,
                     reader.known == Known::Source ? " (read, not run)" : "");
}

std::span<const Reader> known_readers() { return kReaders; }

std::span<const Reader> readers_of(System system) {
  const auto same = [&](const Reader& reader) { return reader.system == system; };
  const auto* first = std::ranges::find_if(kReaders, same);
  return {first, std::find_if_not(first, std::end(kReaders), same)};
}

std::span<const ParquetRow> parquet_rows() { return parquet_table::kRows; }
std::span<const LanceRow> lance_rows() { return lance_table::kRows; }
std::span<const VortexRow> vortex_rows() { return vortex_table::kRows; }
std::span<const TableRow> table_rows() { return yt_table::kRows; }

}  // namespace xwalk::crosswalk
