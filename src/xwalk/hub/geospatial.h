#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// The GeoArrow extension of columns whose values are WKB.
inline constexpr std::string_view kWkbExtension = "geoarrow.wkb";
/// The same values as text.
inline constexpr std::string_view kWktExtension = "geoarrow.wkt";

/// The coordinate reference system of geospatial types without one, in Parquet and Iceberg.
inline constexpr std::string_view kDefaultCrs = "OGC:CRS84";

/// What Parquet and Iceberg do to a column without one.
inline constexpr std::string_view kAssumedCrs =
    "the source names no CRS; the target's default is OGC:CRS84";

/// The parameters of a geospatial type.
struct Geospatial {
  /// The coordinate reference system as Parquet and Iceberg write it: `srid:3857`, `EPSG:3857`,
  /// `projjson:key`, PROJJSON or WKT; "" for OGC:CRS84. Nothing if the source has none.
  std::optional<std::string> crs;
  /// How edges between two points are interpolated: `spherical`, `vincenty`, `thomas`, `andoyer` or
  /// `karney` for GEOGRAPHY; "" for planar edges, which GEOMETRY has.
  std::string edges;

  friend bool operator==(const Geospatial&, const Geospatial&) = default;
};

/// The values of `edges` other than planar, in the order of Parquet's numbers.
inline constexpr std::array<std::string_view, 5> kEdges = {"spherical", "vincenty", "thomas",
                                                           "andoyer", "karney"};

/// Parses the metadata of a GeoArrow extension. Returns nothing if it is malformed.
std::optional<Geospatial> parse_geoarrow_metadata(std::string_view metadata);

/// Returns the parameters of a field with the extension `geoarrow.wkb`, valid metadata and bytes as
/// storage; nothing for other fields.
std::optional<Geospatial> geospatial_of(const Field& field);

/// Gives a field of bytes the extension `geoarrow.wkb`. A coordinate reference system that is not
/// UTF-8 and unknown edges have no form there: then the field has no extension.
Field with_geospatial(Field field, const Geospatial& type);

/// Returns true if both fields are of one geospatial type, however their metadata is spelled.
bool same_geospatial(const Field& a, const Field& b);

/// Returns the authority and code of a PROJJSON text that has them (`EPSG:3857`).
std::optional<std::string> projjson_code(std::string_view crs);

/// Returns the text of a type in which each PROJJSON document in quotes is replaced by its
/// authority and code, or its name, and an ellipsis: `GEOMETRY(EPSG:32633…)`.
std::string with_short_crs(std::string_view type);

/// Returns a description for messages: `geometry with the CRS "EPSG:3857"`.
std::string describe(const Geospatial& type);

}  // namespace xwalk::hub
