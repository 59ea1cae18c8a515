#include "xwalk/lance/json.h"

// The JSON form: the messages of the wire, with names for numbers.

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_reason.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/lance/written.h"

namespace xwalk::lance {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::Input, message); }

Json bytes_to_json(const std::string& bytes) {
  if (is_valid_utf8(bytes)) return bytes;
  return {{"hex", to_hex(bytes)}};
}

std::string bytes_from_json(const Json& json) {
  if (json.is_object()) return from_hex(json.at("hex").get<std::string>());
  return json.get<std::string>();
}

Json metadata_to_json(const hub::Metadata& metadata) {
  Json json = Json::object();
  for (const auto& [key, value] : metadata) {
    if (!is_valid_utf8(key)) {
      throw Error(ErrorCode::Unsupported,
                  fmt::format("metadata key {} has no form in JSON", xwalk::quoted(key)));
    }
    json[key] = bytes_to_json(value);
  }
  return json;
}

hub::Metadata metadata_from_json(const Json& json) {
  hub::Metadata metadata;
  for (const auto& [key, value] : json.items()) metadata.set(key, bytes_from_json(value));
  return metadata;
}

Json to_json(const FlatField& flat) {
  const Field& field = flat.field;
  Json json = {
      {"id", field.id},
      {"name", bytes_to_json(field.name)},
      {"type", node_kind(field.type)},
      {"logical_type",
       bytes_to_json(field.spelling.empty() ? print_logical_type(field.type) : field.spelling)},
      {"nullable", field.nullable},
      {"parent_id", flat.parent}};
  if (field.primary_key) json["unenforced_primary_key"] = true;
  if (field.primary_key_position > 0) {
    json["unenforced_primary_key_position"] = field.primary_key_position;
  }
  if (field.clustering_key_position > 0) {
    json["unenforced_clustering_key_position"] = field.clustering_key_position;
  }
  if (!field.metadata.empty()) json["metadata"] = metadata_to_json(field.metadata);
  if (field.encoding != default_encoding(field.type)) {
    std::string_view word = encoding_word(field.encoding);
    if (word.empty()) {
      json["encoding"] = static_cast<int>(field.encoding);
    } else {
      json["encoding"] = word;
    }
  }
  if (field.dictionary) json["dictionary"] = {{"hex", to_hex(*field.dictionary)}};
  if (!field.unknown.empty()) json["unknown_fields"] = {{"hex", to_hex(field.unknown)}};
  return json;
}

int64_t integer(const Json& json, std::string_view what, int64_t low, int64_t high) {
  bool fits = json.is_number_integer() &&
              !(json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(high));
  if (!fits || json.get<int64_t>() < low || json.get<int64_t>() > high) {
    fail(fmt::format("expected {} as an integer from {} to {}, found {}", what, low, high,
                     clipped(json.dump(-1, ' ', false, Json::error_handler_t::replace))));
  }
  return json.get<int64_t>();
}

WrittenField from_json(const Json& json, int depth) {
  if (depth > limits::kSchemaDepth) {
    fail(fmt::format("expected at most {} nested fields", limits::kSchemaDepth));
  }
  WrittenField out;
  Field& field = out.field;
  field.name = bytes_from_json(json.at("name"));
  try {
    std::string type = bytes_from_json(json.at("logical_type"));
    set_logical_type(type, &field);
    if (std::string kind = json.value("type", ""); !kind.empty() && kind != node_kind(field.type)) {
      fail(fmt::format("expected {} for the type {}, found {}", node_kind(field.type), type,
                       clipped(kind)));
    }
  } catch (Error& error) {
    error.place().path = Path::column(field.name);
    throw;
  }
  if (json.contains("id")) {
    out.id = static_cast<int32_t>(integer(json["id"], "id", INT32_MIN, INT32_MAX));
  }
  if (json.contains("parent_id")) {
    out.parent = static_cast<int32_t>(integer(json["parent_id"], "id", INT32_MIN, INT32_MAX));
  }
  field.nullable = json.value("nullable", true);
  auto position = [&](const char* key) {
    return json.contains(key) ? static_cast<uint32_t>(integer(json[key], key, 0, UINT32_MAX)) : 0;
  };
  field.primary_key_position = position("unenforced_primary_key_position");
  field.primary_key = json.value("unenforced_primary_key", false) || field.primary_key_position > 0;
  field.clustering_key_position = position("unenforced_clustering_key_position");
  if (json.contains("metadata")) field.metadata = metadata_from_json(json["metadata"]);
  if (json.contains("encoding")) {
    const Json& encoding = json["encoding"];
    out.encoding = encoding.is_string()
                       ? encoding_of_word(encoding.get<std::string>())
                       : static_cast<Encoding>(integer(encoding, "an encoding", 0, 255));
    if (!out.encoding) fail("expected an encoding, found " + clipped(encoding.get<std::string>()));
  }
  if (json.contains("dictionary")) field.dictionary = bytes_from_json(json["dictionary"]);
  if (json.contains("unknown_fields")) field.unknown = bytes_from_json(json["unknown_fields"]);
  if (json.contains("children")) {
    for (const Json& child : json["children"]) out.children.push_back(from_json(child, depth + 1));
  }
  return out;
}

}  // namespace

FlatSchema parse_flat_json(std::string_view text) {
  check_json_document(text, ErrorCode::Input);
  try {
    Json json = Json::parse(text.begin(), text.end());
    std::vector<WrittenField> fields;
    for (const Json& field : json.at("fields")) fields.push_back(from_json(field, 0));
    hub::Metadata metadata;
    if (json.contains("metadata")) metadata = metadata_from_json(json["metadata"]);
    return assemble(std::move(fields), std::move(metadata),
                    [](size_t, const std::string& message) { fail(message); });
  } catch (const Json::parse_error& error) {
    throw Error(ErrorCode::Input, "expected JSON, found text that does not parse",
                place_in_text(text, error.byte == 0 ? 0 : error.byte - 1));
  } catch (const Json::exception& error) {
    fail(fmt::format("not the JSON form of a Lance schema: {}", json_reason(error.what())));
  }
}

Schema read_json(std::string_view text) { return nest(parse_flat_json(text)); }

std::string write_json(const Schema& schema, int indent) {
  Json json = {{"fields", Json::array()}, {"metadata", metadata_to_json(schema.metadata)}};
  for (const FlatField& field : flatten(schema).fields) json["fields"].push_back(to_json(field));
  return json.dump(indent);
}

}  // namespace xwalk::lance
