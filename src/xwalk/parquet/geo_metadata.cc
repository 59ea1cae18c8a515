#include "xwalk/parquet/geo_metadata.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/cast/checks.h"
#include "xwalk/hub/wkb.h"
#include "xwalk/parquet/projjson.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kProjjsonPrefix = "projjson:";
/// The annotation of a column of bytes, which may be null like its field.
constexpr std::string_view kBytes = "required binary _;";

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

/// Returns the PROJJSON of a CRS; an empty object if it isn't known.
Json projjson_of(const std::string& crs) {
  const std::string known = known_projjson(crs);
  return parse_object(known.empty() ? crs : known);
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
  if (!hub::is_binary(field->type.kind())) return;
  const auto column = columns.find(field->name);  // The end if it is not an object.
  if (column == columns.end()) return;
  if (std::optional<hub::Geospatial> logical = hub::geospatial_of(*field)) {
    // GEOMETRY has no way to say that the CRS is unknown.
    const bool is_unknown =
        column->is_object() && column->contains("crs") && (*column)["crs"].is_null();
    if (!is_unknown || logical->crs != "") return;
    logical->crs.reset();
    *field = hub::with_geospatial(std::move(*field), *logical);
    return;
  }
  if (!field->extension_name().empty()) return;
  const std::optional<hub::Geospatial> type = geospatial_of(*column);
  if (!type) return;
  *field = hub::with_geospatial(std::move(*field), *type);
  if (!hub::annotation(*field, kSystem)) hub::annotate(*field, kSystem, std::string(kBytes));
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

/// Returns the bounding box in GeoParquet's form: the least x, y and z, then the greatest. Empty if
/// it isn't known or JSON has no such number.
Json bbox_of(const hub::GeospatialFacts& facts) {
  constexpr size_t kZ = 2;
  Json least = Json::array();
  Json greatest = Json::array();
  for (size_t axis = 0; axis <= kZ; ++axis) {
    const std::optional<hub::GeospatialFacts::Range>& range = facts.box.at(axis);
    if (!range && axis == kZ) break;
    if (!range || !std::isfinite(range->least) || !std::isfinite(range->greatest)) return {};
    least.push_back(range->least);
    greatest.push_back(range->greatest);
  }
  least.insert(least.end(), greatest.begin(), greatest.end());
  return least;
}

/// Writes the types and the box of a column's values to its entry. `codes` are types as in WKB.
void describe_values(const std::set<uint32_t>& codes, const hub::GeospatialFacts& facts,
                     Json* out) {
  Json types = Json::array();
  for (const uint32_t code : codes) types.push_back(hub::wkb_type_name(code));
  // The codes of types with M are 2001 and more.
  const bool has_m = !codes.empty() && *codes.rbegin() > 2000;
  (*out)["geometry_types"] = has_m ? Json::array() : std::move(types);
  out->erase("bbox");
  if (Json box = bbox_of(facts); !box.empty()) (*out)["bbox"] = std::move(box);
}

/// Reads a bounding box; none if it is malformed.
hub::GeospatialFacts read_bbox(const Json& bbox) {
  const bool sized = bbox.is_array() && (bbox.size() == 4 || bbox.size() == 6);
  if (!sized || !std::ranges::all_of(bbox, [](const Json& item) { return item.is_number(); })) {
    return {};
  }
  hub::GeospatialFacts facts;
  const size_t axes = bbox.size() / 2;
  for (size_t axis = 0; axis < axes; ++axis) {
    facts.box.at(axis) = {.least = bbox[axis], .greatest = bbox[axes + axis]};
  }
  return facts;
}

/// Reads the types of a column's geometries; nothing if one of them is unknown.
std::set<std::string> read_types(const Json& types) {
  constexpr uint32_t kWithZ = 1000;
  std::set<std::string> known;
  for (uint32_t code = 1; code <= 7; ++code) {
    known.insert(hub::wkb_type_name(code));
    known.insert(hub::wkb_type_name(kWithZ + code));
  }
  std::set<std::string> out;
  if (!types.is_array()) return out;
  for (const Json& type : types) {
    if (!type.is_string() || !known.contains(type.get<std::string>())) return {};
    out.insert(type.get<std::string>());
  }
  return out;
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

void add_geo_facts(const hub::Metadata& metadata, std::vector<hub::ColumnFacts>* columns) {
  const auto geo = metadata.find(kGeoKey);
  if (!geo) return;
  const Json described = parse_object(*geo).value("columns", Json::object());
  if (!described.is_object()) return;
  for (const auto& [name, column] : described.items()) {
    const auto facts = std::ranges::find(*columns, Path::column(name), &hub::ColumnFacts::path);
    if (facts == columns->end() || facts->geospatial || !geospatial_of(column)) continue;
    hub::GeospatialFacts found = read_bbox(column.value("bbox", Json()));
    found.types = read_types(column.value("geometry_types", Json()));
    if (found != hub::GeospatialFacts()) facts->geospatial = std::move(found);
  }
}

hub::Field as_geoparquet(hub::Field column) {
  if (hub::geospatial_of(column)) hub::annotate(column, kSystem, std::string(kBytes));
  return column;
}

std::string beyond_geoparquet(const hub::Geospatial& type) {
  std::string text;
  if (type.crs && !type.crs->empty() && projjson_of(*type.crs).empty()) {
    text = fmt::format(
        "GeoParquet has no place for the CRS {}, which is not PROJJSON: its key says "
        "that the CRS is unknown",
        clipped(*type.crs));
  }
  if (!type.edges.empty() && type.edges != hub::kEdges.front()) {
    text += fmt::format("{}GeoParquet has no edges {}: its key says spherical",
                        text.empty() ? "" : "; ", type.edges);
  }
  return text;
}

GeoParquetWriter::GeoParquetWriter(const hub::Schema& schema, std::string copied,
                                   bool describes_all)
    : copied_(std::move(copied)), describes_all_(describes_all) {
  for (const hub::Field& field : schema.fields) {
    if (const std::optional<hub::Geospatial> type = hub::geospatial_of(field)) {
      columns_.push_back({field.name, *type, {}, {}});
    }
  }
}

void GeoParquetWriter::add(const hub::Batch& batch, const std::vector<hub::Field>& fields) {
  constexpr size_t kTypeEnd = 5;
  for (Column& column : columns_) {
    const auto field = std::ranges::find(fields, column.name, &hub::Field::name);
    if (field == fields.end()) continue;
    const hub::Array& array =
        batch.array.children[static_cast<size_t>(std::distance(fields.begin(), field))];
    for (int64_t i = 0; i < array.length; ++i) {
      const std::string_view value = hub::cast::bytes_of(array, field->type, array.slot(i));
      if (value.size() < kTypeEnd) continue;
      column.codes.insert(hub::wkb_type(value));
      if (column.type.edges.empty()) hub::add_to_box(value, &column.facts);
    }
  }
}

std::optional<std::string> GeoParquetWriter::text() const {
  Json geo = parse_object(copied_);
  const auto copied = geo.find("columns");
  const bool has_copy = copied != geo.end() && copied->is_object();
  if (!has_copy && !describes_all_) return std::nullopt;
  Json columns = has_copy ? *copied : Json::object();
  for (auto& [name, described] : columns.items()) {
    if (!described.is_object()) continue;
    const auto known = std::ranges::find(columns_, name, &Column::name);
    const Column& column = known == columns_.end() ? Column() : *known;
    describe_values(column.codes, column.facts, &described);
  }
  if (describes_all_) add_columns(&columns);
  if (columns.empty()) return std::nullopt;
  // Version 2 is for columns of GEOMETRY.
  const Json version = geo.value("version", Json());
  const bool is_first = version.is_string() && version.get<std::string>().starts_with("1.");
  if (!has_copy || (describes_all_ && !is_first)) geo["version"] = "1.1.0";
  if (!has_copy) geo["primary_column"] = columns.begin().key();
  geo["columns"] = std::move(columns);
  return geo.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void GeoParquetWriter::add_columns(Json* columns) const {
  for (const Column& column : columns_) {
    if (columns->contains(column.name)) continue;
    Json& out = (*columns)[column.name];
    out["encoding"] = "WKB";
    describe_values(column.codes, column.facts, &out);
    const std::optional<std::string>& crs = column.type.crs;
    if (!crs) {
      out["crs"] = nullptr;
    } else if (!crs->empty()) {
      Json projjson = projjson_of(*crs);
      out["crs"] = projjson.empty() ? Json() : std::move(projjson);
    }
    if (!column.type.edges.empty()) out["edges"] = "spherical";
  }
}

}  // namespace xwalk::parquet
