#include "xwalk/crosswalk/reader_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/crosswalk/reader_terms.h"
#include "xwalk/crosswalk/reader_versions.h"
#include "xwalk/lance/module.h"
#include "xwalk/parquet/module.h"
#include "xwalk/vortex/extension.h"
#include "xwalk/vortex/module.h"
#include "xwalk/yt/module.h"

namespace xwalk::crosswalk {
namespace {

using hub::Effect;

// Polars and DuckDB read Lance and Vortex through the dataset of pylance and vortex-data. DuckDB's
// extensions read the files directly.
constexpr Reader kReaders[] = {
    {parquet::kModule, kPyarrow, version::kPyarrow},
    {parquet::kModule, kDuckdb, version::kDuckdb},
    {parquet::kModule, kDatafusion, version::kDatafusion, Known::Ran, "2026-11-30"},
    {parquet::kModule, kPolars, version::kPolars},
    {parquet::kModule, kUpload, version::kUpload},
    {parquet::kModule, kAttach, "da0fcc1", Known::Source, "2026-11-22"},
    {parquet::kModule, kSpark, version::kSpark},
    {parquet::kModule, kClickhouse, version::kClickhouse},
    {parquet::kModule, kDaft, version::kDaft, Known::Ran, "2026-11-30"},
    {parquet::kModule, kFastparquet, version::kFastparquet, Known::Ran, "2026-11-30"},
    {parquet::kModule, kHyparquet, version::kHyparquet, Known::Ran, "2026-11-30"},
    {parquet::kModule, kCarquet, version::kCarquet, Known::Ran, "2026-11-30"},
    {parquet::kModule, kPyiceberg, version::kPyiceberg, Known::Ran, "2026-11-30"},
    {parquet::kModule, kArrowGo, version::kArrowGo, Known::Ran, "2026-11-30"},

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
    {yt::kModule, kJavaClient, "1.2.17", Known::Ran, "2026-11-30"},
};

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

std::span<const LanceRow> lance_rows() { return lance_table::kRows; }
std::span<const VortexRow> vortex_rows() { return vortex_table::kRows; }

}  // namespace xwalk::crosswalk
