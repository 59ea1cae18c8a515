#include "xwalk/iceberg/json.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json_members.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/iceberg/text.h"

namespace xwalk::iceberg {
namespace {

using Json = SchemaJson;

/// Size limit of a label with a table's partitions, order or properties.
constexpr size_t kLongestLabel = 300;

// --- reading ------------------------------------------------------------------------------------

int32_t integer(const Json& json, const char* what, const Path& path) {
  const bool fits = json.is_number_integer() && json.get<int64_t>() >= INT32_MIN &&
                    json.get<int64_t>() <= INT32_MAX;
  if (!fits)
    fail_json(path, fmt::format("expected {} as an integer, found {}", what, shown_json(json)));
  return json.get<int32_t>();
}

bool flag(const Json& json, const char* key, const Path& path) {
  // Living readers take a missing one for "optional".
  const auto found = json.find(key);
  if (found == json.end()) return false;
  if (!found->is_boolean()) {
    fail_json(path, fmt::format("expected {} as true or false, found {}", key, shown_json(*found)));
  }
  return found->get<bool>();
}

Type read_type(const Json& json, const Path& path, int depth);

/// Reads the element of a list, the key or the value of a map.
Field read_child(const Json& json, std::string_view name, bool required, const Path& path,
                 int depth) {
  const std::string word(name);
  Field field;
  field.name = name;
  field.id = integer(json_member(json, (word + "-id").c_str(), path), "an id", path);
  field.required = required;
  field.type = read_type(json_member(json, word.c_str(), path), path, depth);
  return field;
}

std::vector<Field> read_fields(const Json& json, const Path& path, int depth) {
  const Json& list = json_member(json, "fields", path);
  if (!list.is_array())
    fail_json(path, fmt::format("expected a list of fields, found {}", shown_json(list)));
  std::vector<Field> out;
  out.reserve(list.size());
  for (const Json& item : list) {
    Field& field = out.emplace_back();
    field.name = json_string(json_member(item, "name", path), "a name", path);
    const Path below = path.empty() ? Path::column(field.name) : path.field(field.name);
    field.id = integer(json_member(item, "id", below), "an id", below);
    field.required = flag(item, "required", below);
    field.type = read_type(json_member(item, "type", below), below, depth + 1);
    if (const auto doc = item.find("doc"); doc != item.end() && !doc->is_null()) {
      field.doc = json_string(*doc, "the doc", below);
    }
    const auto default_of = [&](const char* key) -> std::optional<std::string> {
      const auto found = item.find(key);
      if (found == item.end()) return std::nullopt;
      return found->dump();
    };
    field.initial_default = default_of("initial-default");
    field.write_default = default_of("write-default");
  }
  return out;
}

Type read_type(const Json& json, const Path& path, int depth) {
  if (depth > limits::kSchemaDepth) {
    fail_json(path, fmt::format("expected at most {} nested types", limits::kSchemaDepth));
  }
  if (json.is_string()) {
    try {
      return parse_primitive(json.get<std::string>());
    } catch (Error& error) {
      error.place().path = path;
      throw;
    }
  }
  const std::string word = json_string(json_member(json, "type", path), "a type", path);
  if (word == kind_row(Kind::Struct).name) {
    return {.kind = Kind::Struct, .children = read_fields(json, path, depth)};
  }
  if (word == kind_row(Kind::List).name) {
    const bool required = flag(json, "element-required", path);
    return {.kind = Kind::List,
            .children = {read_child(json, kElement, required, path.item(), depth + 1)}};
  }
  if (word == kind_row(Kind::Map).name) {
    const bool required = flag(json, "value-required", path);
    return {.kind = Kind::Map,
            .children = {read_child(json, kKey, true, path.map_key(), depth + 1),
                         read_child(json, kValue, required, path.map_value(), depth + 1)}};
  }
  fail_json(path, fmt::format("expected struct, list or map, found {}", clipped(word)));
}

Schema read_schema(const Json& json) {
  const Path root;
  if (json.contains("type") && json["type"] != kind_row(Kind::Struct).name) {
    fail_json(root, fmt::format("expected a struct, found {}", shown_json(json["type"])));
  }
  Schema schema;
  schema.fields = read_fields(json, root, 0);
  if (json.contains("schema-id")) {
    schema.schema_id = integer(json["schema-id"], "the id of the schema", root);
  }
  if (json.contains("identifier-field-ids")) {
    const Json& ids = json["identifier-field-ids"];
    if (!ids.is_array())
      fail_json(root, fmt::format("expected a list of ids, found {}", shown_json(ids)));
    for (const Json& id : ids) schema.identifier_field_ids.push_back(integer(id, "an id", root));
  }
  return schema;
}

/// Versions of the table format that are known, and the first that has no single schema any more.
constexpr int32_t kNewestVersion = 3;
constexpr int32_t kSchemasRequiredSince = 2;

/// Checks the version of a table's metadata, and what it asks for.
void check_version(const Json& json) {
  const Path root;
  const int32_t version = integer(json["format-version"], "the format version", root);
  if (version > kNewestVersion) {
    throw Error(ErrorCode::Unsupported,
                fmt::format("version {} of the Iceberg table format is newer than this version of "
                            "xwalk, which knows {} at most",
                            version, kNewestVersion));
  }
  if (version < 1)
    fail_json(root, fmt::format("expected a format version from 1, found {}", version));
  if (version < kSchemasRequiredSince) return;
  for (const char* key : {"schemas", "current-schema-id"}) {
    if (json.contains(key)) continue;
    fail_json(root,
              fmt::format("expected a \"{}\", which version {} of the table format requires, found "
                          "none",
                          key, version));
  }
}

std::string word_of(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (!json.is_object() || found == json.end()) return "";
  return found->is_string() ? found->get<std::string>() : shown_json(*found);
}

/// Returns the member of a table's metadata that its current id chooses out of a list.
const Json* chosen(const Json& json, const char* list, const char* id_of_each, const char* id) {
  if (!json.contains(list) || !json[list].is_array() || !json.contains(id)) return nullptr;
  for (const Json& one : json[list]) {
    if (one.is_object() && one.value(id_of_each, Json()) == json[id]) return &one;
  }
  return nullptr;
}

/// Returns how a field of a partition spec or a sort order makes its values, `bucket[16](id)`.
std::string transformed(const Json& field, const Schema& schema) {
  std::string source = word_of(field, "source-id");
  for (const Field& column : schema.fields) {
    if (std::to_string(column.id) == source) source = column.name;
  }
  const std::string transform = word_of(field, "transform");
  return transform == "identity" ? source : fmt::format("{}({})", transform, source);
}

/// Adds the ids of the columns that a field of a partition spec or a sort order is made of. Version
/// 3 may have several.
void add_sources(const Json& field, Schema* schema) {
  if (!field.is_object()) return;
  const auto add = [&](const Json& id) {
    if (id.is_number_integer()) schema->source_ids.push_back(id.get<int32_t>());
  };
  add(field.value("source-id", Json()));
  for (const Json& id : field.value("source-ids", Json::array())) add(id);
}

/// Adds what the metadata of a table says besides its schema.
void add_table(const Json& json, Schema* schema) {
  const auto add = [&](const char* name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    schema->table.emplace_back(name, cut_utf8(join(values, ", "), kLongestLabel));
  };
  std::vector<std::string> parts;
  const Json* spec = chosen(json, "partition-specs", "spec-id", "default-spec-id");
  const Json* fields = spec != nullptr && spec->contains("fields") ? &(*spec)["fields"] : nullptr;
  // Tables of version 1 may have the list alone.
  if (fields == nullptr && json.contains("partition-spec")) fields = &json["partition-spec"];
  if (fields != nullptr && fields->is_array()) {
    for (const Json& field : *fields) {
      parts.push_back(transformed(field, *schema));
      add_sources(field, schema);
    }
  }
  add("partition_spec", parts);
  std::vector<std::string> keys;
  const Json* order = chosen(json, "sort-orders", "order-id", "default-sort-order-id");
  if (order != nullptr && order->contains("fields") && (*order)["fields"].is_array()) {
    for (const Json& field : (*order)["fields"]) {
      add_sources(field, schema);
      keys.push_back(fmt::format("{} {} {}", transformed(field, *schema),
                                 word_of(field, "direction"), word_of(field, "null-order")));
    }
  }
  add("sort_order", keys);
  std::vector<std::string> names;
  if (json.contains("properties") && json["properties"].is_object()) {
    for (const auto& [name, value] : json["properties"].items()) names.push_back(name);
  }
  add("properties", names);
}

/// Takes the current schema out of a table's metadata.
Schema read_metadata(const Json& json) {
  const Path root;
  check_version(json);
  Schema schema;
  if (json.contains("schemas") && json.contains("current-schema-id")) {
    const Json& schemas = json["schemas"];
    const auto current = std::ranges::find_if(schemas, [&](const Json& one) {
      return one.is_object() && one.value("schema-id", Json(0)) == json["current-schema-id"];
    });
    if (current == schemas.end()) {
      fail_json(root, fmt::format("expected a schema of the id {}, found none",
                                  shown_json(json["current-schema-id"])));
    }
    schema = read_schema(*current);
  } else {
    schema = read_schema(json_member(json, "schema", root));
  }
  schema.format_version = integer(json["format-version"], "the version of the table format", root);
  if (json.contains("last-column-id")) {
    schema.last_column_id = integer(json["last-column-id"], "the last id", root);
  }
  add_table(json, &schema);
  return schema;
}

// --- writing ------------------------------------------------------------------------------------

Json type_json(const Type& type);

Json fields_json(const std::vector<Field>& fields) {
  Json out = Json::array();
  for (const Field& field : fields) {
    Json& json = out.emplace_back(Json{{"id", field.id},
                                       {"name", field.name},
                                       {"required", field.required},
                                       {"type", type_json(field.type)}});
    if (field.doc) json["doc"] = *field.doc;
    if (field.initial_default) json["initial-default"] = Json::parse(*field.initial_default);
    if (field.write_default) json["write-default"] = Json::parse(*field.write_default);
  }
  return out;
}

Json type_json(const Type& type) {
  if (!is_nested(type.kind)) return print_type_text(type);
  if (type.kind == Kind::Struct)
    return {{"type", "struct"}, {"fields", fields_json(type.children)}};
  const auto* children = type.children.data();
  if (type.kind == Kind::List) {
    return {{"type", "list"},
            {"element-id", children[0].id},
            {"element", type_json(children[0].type)},
            {"element-required", children[0].required}};
  }
  return {{"type", "map"},
          {"key-id", children[0].id},
          {"key", type_json(children[0].type)},
          {"value-id", children[1].id},
          {"value", type_json(children[1].type)},
          {"value-required", children[1].required}};
}

}  // namespace

Schema read_json(std::string_view bytes) {
  return read_json_object(bytes, "an Iceberg schema", [](const Json& json) {
    return json.contains("format-version") ? read_metadata(json) : read_schema(json);
  });
}

std::string write_json(const Schema& schema, int indent) {
  Json json = {{"type", "struct"}};
  if (schema.schema_id) json["schema-id"] = *schema.schema_id;
  if (!schema.identifier_field_ids.empty()) {
    json["identifier-field-ids"] = schema.identifier_field_ids;
  }
  json["fields"] = fields_json(schema.fields);
  return json.dump(indent);
}

}  // namespace xwalk::iceberg
