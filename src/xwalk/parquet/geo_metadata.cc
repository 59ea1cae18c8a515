#include "xwalk/parquet/geo_metadata.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kGeoKey = "geo";
constexpr std::string_view kProjjsonPrefix = "projjson:";

/// Returns a JSON object; an empty one for other text.
Json parse_object(std::string_view text) {
  try {
    check_json_document(text, ErrorCode::Input);
  } catch (const Error&) {
    return Json::object();
  }
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? json : Json::object();
}

/// Returns the type of a column of GeoParquet; nothing if its values are not WKB. Without a `crs`
/// it has the default, with null it has none.
std::optional<hub::Geospatial> geospatial_of(const Json& column) {
  if (!column.is_object() || column.value("encoding", Json()) != "WKB") return std::nullopt;
  Json geoarrow = Json::object();
  geoarrow["crs"] = column.value("crs", Json(hub::kDefaultCrs));
  geoarrow["edges"] = column.value("edges", Json());
  return hub::parse_geoarrow_metadata(geoarrow.dump());
}

void add_geoparquet(const Json& columns, hub::Field* field) {
  if (!hub::is_binary(field->type.kind()) || !field->extension_name().empty()) return;
  const auto column = columns.find(field->name);  // The end if it is not an object.
  if (column == columns.end()) return;
  const std::optional<hub::Geospatial> type = geospatial_of(*column);
  if (!type) return;
  *field = hub::with_geospatial(std::move(*field), *type);
  if (!hub::annotation(*field, kSystem)) hub::annotate(*field, kSystem, "required binary _;");
}

/// Puts the PROJJSON of a key in the place of its name, at every depth.
hub::Field with_projjson(hub::Field field, const hub::Metadata& metadata) {
  if (!field.type.children().empty()) {
    std::vector<hub::Field> children;
    for (const hub::Field& child : field.type.children()) {
      children.push_back(with_projjson(child, metadata));
    }
    field.type = hub::with_children(field.type, std::move(children));
    return field;
  }
  std::optional<hub::Geospatial> type = hub::geospatial_of(field);
  if (!type || !type->crs || !type->crs->starts_with(kProjjsonPrefix)) return field;
  const auto projjson = metadata.find(type->crs->substr(kProjjsonPrefix.size()));
  if (!projjson || parse_object(*projjson).empty()) return field;
  type->crs = *projjson;
  return hub::with_geospatial(std::move(field), *type);
}

bool has_geospatial(const hub::Field& field) {
  return hub::geospatial_of(field) || std::ranges::any_of(field.type.children(), has_geospatial);
}

}  // namespace

hub::Schema with_geo_metadata(hub::Schema schema) {
  if (const auto geo = schema.metadata.find(kGeoKey)) {
    const Json columns = parse_object(*geo).value("columns", Json::object());
    for (hub::Field& field : schema.fields) add_geoparquet(columns, &field);
  }
  for (hub::Field& field : schema.fields) {
    if (has_geospatial(field)) field = with_projjson(std::move(field), schema.metadata);
  }
  return schema;
}

}  // namespace xwalk::parquet
