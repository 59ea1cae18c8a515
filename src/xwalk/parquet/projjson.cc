#include "xwalk/parquet/projjson.h"

#include <fmt/format.h>

namespace xwalk::parquet {
namespace {

// As PROJ 9.5 prints them, without `scope`, `area` and `bbox`:
// pyproj.CRS("EPSG:3857").to_json_dict(). The test tests/python/geoparquet_test.py compares.

constexpr std::string_view kSchema = "https://proj.org/schemas/v0.7/projjson.schema.json";

constexpr std::string_view kDatum = R"json({"name":"World Geodetic System 1984 ensemble","members":[
{"name":"World Geodetic System 1984 (Transit)","id":{"authority":"EPSG","code":1166}},
{"name":"World Geodetic System 1984 (G730)","id":{"authority":"EPSG","code":1152}},
{"name":"World Geodetic System 1984 (G873)","id":{"authority":"EPSG","code":1153}},
{"name":"World Geodetic System 1984 (G1150)","id":{"authority":"EPSG","code":1154}},
{"name":"World Geodetic System 1984 (G1674)","id":{"authority":"EPSG","code":1155}},
{"name":"World Geodetic System 1984 (G1762)","id":{"authority":"EPSG","code":1156}},
{"name":"World Geodetic System 1984 (G2139)","id":{"authority":"EPSG","code":1309}},
{"name":"World Geodetic System 1984 (G2296)","id":{"authority":"EPSG","code":1383}}],
"ellipsoid":{"name":"WGS 84","semi_major_axis":6378137,"inverse_flattening":298.257223563},
"accuracy":"2.0","id":{"authority":"EPSG","code":6326}})json";

constexpr std::string_view kLatitudeLongitude = R"({"subtype":"ellipsoidal","axis":[
{"name":"Geodetic latitude","abbreviation":"Lat","direction":"north","unit":"degree"},
{"name":"Geodetic longitude","abbreviation":"Lon","direction":"east","unit":"degree"}]})";

constexpr std::string_view kPseudoMercator =
    R"({"name":"Popular Visualisation Pseudo-Mercator","method":
{"name":"Popular Visualisation Pseudo Mercator","id":{"authority":"EPSG","code":1024}},
"parameters":[
{"name":"Latitude of natural origin","value":0,"unit":"degree",
"id":{"authority":"EPSG","code":8801}},
{"name":"Longitude of natural origin","value":0,"unit":"degree",
"id":{"authority":"EPSG","code":8802}},
{"name":"False easting","value":0,"unit":"metre","id":{"authority":"EPSG","code":8806}},
{"name":"False northing","value":0,"unit":"metre","id":{"authority":"EPSG","code":8807}}]})";

constexpr std::string_view kEastingNorthing = R"({"subtype":"Cartesian","axis":[
{"name":"Easting","abbreviation":"X","direction":"east","unit":"metre"},
{"name":"Northing","abbreviation":"Y","direction":"north","unit":"metre"}]})";

/// The members of EPSG:4326 after its type.
std::string geographic() {
  return fmt::format(R"("name":"WGS 84","datum_ensemble":{},"coordinate_system":{},
"id":{{"authority":"EPSG","code":4326}}}})",
                     kDatum, kLatitudeLongitude);
}

}  // namespace

std::string known_projjson(std::string_view crs) {
  if (crs == "EPSG:4326" || crs == "srid:4326") {
    return fmt::format(R"({{"$schema":"{}","type":"GeographicCRS",{})", kSchema, geographic());
  }
  if (crs == "EPSG:3857" || crs == "srid:3857") {
    return fmt::format(R"({{"$schema":"{}","type":"ProjectedCRS","name":"WGS 84 / Pseudo-Mercator",
"base_crs":{{{},"conversion":{},"coordinate_system":{},
"id":{{"authority":"EPSG","code":3857}}}})",
                       kSchema, geographic(), kPseudoMercator, kEastingNorthing);
  }
  return "";
}

}  // namespace xwalk::parquet
