#include "xwalk/crosswalk/reader_table.h"

namespace xwalk::crosswalk {
namespace {

using parquet::Node;
using parquet::PhysicalType;
using parquet::TimeUnit;
using Kind = parquet::LogicalKind;

// Names in the table, so that a row fits on a line.
constexpr std::string_view kUpload = "upload_parquet";
constexpr std::string_view kSpark = "Spark";
constexpr std::string_view kClickhouse = "ClickHouse";

constexpr Reader kReaders[] = {
    {"pyarrow", "26"},   {"DuckDB", "2.0"}, {"arrow-rs", "55"},    {"Polars", "2.1"},
    {kUpload, "0.4.10"}, {kSpark, "4.3"},   {kClickhouse, "26.9"},
};

bool is_millis(const Node& node) { return node.logical().unit() == TimeUnit::Millis; }
bool is_finer(const Node& node) { return !is_millis(node); }
bool is_nanos(const Node& node) { return node.logical().unit() == TimeUnit::Nanos; }
bool is_local(const Node& node) { return !node.logical().utc(); }
bool is_optional(const Node& node) { return node.is(parquet::Repetition::Optional); }
bool beyond_35(const Node& node) { return node.logical().precision() > 35; }
bool beyond_38(const Node& node) { return node.logical().precision() > 38; }
template <int kBits>
bool is_unsigned(const Node& node) {
  return !node.logical().is_signed() && node.logical().bits() == kBits;
}
template <PhysicalType kPhysical>
bool is_physical(const Node& node) {
  return node.physical() == kPhysical;
}

// What `upload_parquet` of ytsaurus-yson makes is the schema that it creates the table with; Spark
// and ClickHouse were asked for type and values. tests/python/reader_table_test.py asks them again.
constexpr ReaderRow kRows[] = {
    {kUpload, Kind::None, is_physical<PhysicalType::Int96>, "int64: a number of nanoseconds"},
    {kUpload, Kind::String, nullptr, "string: bytes, no longer utf8"},
    {kUpload, Kind::Enum, nullptr, "string: bytes"},
    {kUpload, Kind::Json, nullptr, "string: bytes, no longer json"},
    {kUpload, Kind::Bson, nullptr, "string: bytes"},
    {kUpload, Kind::Uuid, nullptr, "string: bytes, no longer a uuid"},
    {kUpload, Kind::Interval, nullptr, "refuses the file: INTERVAL"},
    {kUpload, Kind::Date, nullptr, "int32: a number of days"},
    {kUpload, Kind::Time, is_millis, "int32: a number of milliseconds"},
    {kUpload, Kind::Time, is_finer, "int64: a number"},
    {kUpload, Kind::Timestamp, nullptr, "int64: a number, without its unit and zone"},
    {kUpload, Kind::Decimal, beyond_35, "string: more than 35 digits"},
    {kUpload, Kind::Float16, nullptr, "ends the program: FLOAT16"},
    {kUpload, Kind::Unknown, nullptr, "ends the program: a column of nulls"},
    {kUpload, Kind::Variant, nullptr, "ends the program: VARIANT"},
    {kUpload, Kind::Geometry, nullptr, "ends the program: GEOMETRY"},
    {kUpload, Kind::Geography, nullptr, "ends the program: GEOGRAPHY"},

    {kSpark, Kind::Integer, is_unsigned<8>, "smallint"},
    {kSpark, Kind::Integer, is_unsigned<16>, "int"},
    {kSpark, Kind::Integer, is_unsigned<32>, "bigint"},
    {kSpark, Kind::Integer, is_unsigned<64>, "decimal(20,0)"},
    {kSpark, Kind::Time, nullptr, "refuses the file: TIME"},
    {kSpark, Kind::Timestamp, is_nanos, "refuses the file: nanoseconds"},
    {kSpark, Kind::Decimal, beyond_38, "refuses the file: more than 38 digits"},
    {kSpark, Kind::Uuid, nullptr, "refuses the file: UUID"},
    {kSpark, Kind::Float16, nullptr, "refuses the file: FLOAT16"},
    {kSpark, Kind::Unknown, nullptr, "int"},

    {kClickhouse, Kind::Time, nullptr, "DateTime64: an instant on 1970-01-01"},
    {kClickhouse, Kind::Timestamp, is_local, "DateTime64 in UTC: local time becomes an instant"},
    {kClickhouse, Kind::Interval, nullptr, "FixedString(12): bytes"},
    {kClickhouse, Kind::Unknown, nullptr, "Nullable(Int32)"},
    {kClickhouse, Kind::List, is_optional, "an array without nulls: null becomes []"},
    {kClickhouse, Kind::Map, is_optional, "a map without nulls: null becomes {}"},
    {kClickhouse, Kind::Variant, nullptr, "a tuple of bytes"},
    {kClickhouse, Kind::Geometry, nullptr, "refuses the file: GEOMETRY"},
    {kClickhouse, Kind::Geography, nullptr, "refuses the file: GEOGRAPHY"},
};

}  // namespace

std::span<const Reader> known_readers() { return kReaders; }
std::span<const ReaderRow> reader_rows() { return kRows; }

}  // namespace xwalk::crosswalk
