#include "xwalk/hub/geospatial.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"

namespace xwalk::hub {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSrid = "srid:";
constexpr std::string_view kProjjsonKey = "projjson:";

/// Returns a JSON object; nothing for other text.
std::optional<Json> parse_object(std::string_view text) {
  if (!text.starts_with('{')) return std::nullopt;
  try {
    check_json_document(text, ErrorCode::Input);
  } catch (const Error&) {
    return std::nullopt;
  }
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// Returns the authority and the code of a PROJJSON object; "" if it has none.
std::string code_of(const Json& projjson) {
  const Json* id = member(projjson, "id");
  if (id == nullptr || !id->is_object()) return "";
  const Json* authority = member(*id, "authority");
  const Json* code = member(*id, "code");
  if (authority == nullptr || code == nullptr || !authority->is_string()) return "";
  if (!code->is_string() && !code->is_number_integer()) return "";
  return fmt::format("{}:{}", authority->get_ref<const std::string&>(),
                     code->is_string() ? code->get<std::string>() : code->dump());
}

/// Returns true for `EPSG:3857` and the like.
bool is_authority_code(std::string_view crs) {
  const size_t colon = crs.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == crs.size()) return false;
  const auto is_part = [](char c) { return is_ascii_alnum(c) || c == '_' || c == '.' || c == '-'; };
  return std::ranges::all_of(crs.substr(0, colon), is_part) &&
         std::ranges::all_of(crs.substr(colon + 1), is_part);
}

void add_crs(std::string_view crs, Json* out) {
  if (crs.empty()) crs = kDefaultCrs;
  if (crs.starts_with(kSrid)) {
    (*out)["crs"] = crs.substr(kSrid.size());
    (*out)["crs_type"] = "srid";
  } else if (std::optional<Json> projjson = parse_object(crs)) {
    (*out)["crs"] = *std::move(projjson);
    (*out)["crs_type"] = "projjson";
  } else {
    (*out)["crs"] = crs;
    if (is_authority_code(crs) && !crs.starts_with(kProjjsonKey)) {
      (*out)["crs_type"] = "authority_code";
    }
  }
}

std::string short_crs(const Json& projjson) {
  if (const std::string code = code_of(projjson); is_authority_code(code)) return code + "…";
  const Json* const name = member(projjson, "name");
  if (name == nullptr || !name->is_string()) return "{…}";
  return clipped(name->get_ref<const std::string&>()) + "…";
}

}  // namespace

std::optional<Geospatial> parse_geoarrow_metadata(std::string_view metadata) {
  Geospatial out;
  if (metadata.empty()) return out;
  const std::optional<Json> json = parse_object(metadata);
  if (!json) return std::nullopt;
  if (const Json* edges = member(*json, "edges")) {
    if (!edges->is_string()) return std::nullopt;
    out.edges = edges->get<std::string>();
    if (out.edges == "planar") {
      out.edges.clear();
    } else if (std::ranges::find(kEdges, out.edges) == kEdges.end()) {
      return std::nullopt;
    }
  }
  const Json* crs = member(*json, "crs");
  if (crs == nullptr) return out;
  if (crs->is_object()) {
    out.crs = code_of(*crs) == kDefaultCrs ? "" : crs->dump();
  } else if (crs->is_string()) {
    const auto& text = crs->get_ref<const std::string&>();
    const Json* type = member(*json, "crs_type");
    const bool srid = type != nullptr && *type == "srid";
    if (!text.empty()) out.crs = srid ? fmt::format("{}{}", kSrid, text) : text;
    if (text == kDefaultCrs) out.crs = "";
  } else {
    return std::nullopt;
  }
  return out;
}

std::optional<Geospatial> geospatial_of(const Field& field) {
  if (field.extension_name() != kWkbExtension || !is_binary(field.type.kind())) return std::nullopt;
  return parse_geoarrow_metadata(field.extension_metadata());
}

Field with_geospatial(Field field, const Geospatial& type) {
  Json json = Json::object();
  if (type.crs) {
    if (!is_valid_utf8(*type.crs)) return field;
    add_crs(*type.crs, &json);
  }
  if (!type.edges.empty()) {
    if (std::ranges::find(kEdges, type.edges) == kEdges.end()) return field;
    json["edges"] = type.edges;
  }
  return with_extension(std::move(field), kWkbExtension, json.dump());
}

bool same_geospatial(const Field& a, const Field& b) {
  const std::optional<Geospatial> type = geospatial_of(a);
  return type && type == geospatial_of(b);
}

std::optional<std::string> projjson_code(std::string_view crs) {
  const std::optional<Json> json = parse_object(crs);
  if (!json) return std::nullopt;
  std::string code = code_of(*json);
  return is_authority_code(code) ? std::optional(std::move(code)) : std::nullopt;
}

std::string with_short_crs(std::string_view type) {
  std::string out;
  for (size_t begin; (begin = type.find("\"{")) != std::string_view::npos;) {
    std::string text;
    size_t end = begin + 1;
    for (; end < type.size() && type[end] != '"'; ++end) {
      if (type[end] == '\\' && end + 1 < type.size()) ++end;
      text += type[end];
    }
    end = std::min(end + 1, type.size());
    const std::optional<Json> projjson = parse_object(text);
    out += type.substr(0, begin);
    out += projjson ? short_crs(*projjson) : std::string(type.substr(begin, end - begin));
    type.remove_prefix(end);
  }
  return out += type;
}

std::string describe(const Geospatial& type) {
  std::string text = type.edges.empty() ? "geometry" : fmt::format("geography ({})", type.edges);
  if (!type.crs) return text + " without a CRS";
  const std::string_view crs = type.crs->empty() ? kDefaultCrs : std::string_view(*type.crs);
  const std::optional<Json> projjson = parse_object(crs);
  return text + " with the CRS " + (projjson ? short_crs(*projjson) : clipped(crs));
}

}  // namespace xwalk::hub
