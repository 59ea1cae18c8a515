#include "xwalk/delta/json.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/json.h"
#include "xwalk/base/json_members.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/delta/text.h"

namespace xwalk::delta {
namespace {

using Json = SchemaJson;

/// Size limit of a label with a table's partitions or properties.
constexpr size_t kLongestLabel = 300;

// --- reading ------------------------------------------------------------------------------------

bool flag(const Json& json, const char* key, const Path& path) {
  const Json& found = json_member(json, key, path);
  if (!found.is_boolean()) {
    fail_json(path, fmt::format("expected {} as true or false, found {}", key, shown_json(found)));
  }
  return found.get<bool>();
}

Type read_type(const Json& json, const Path& path, int depth);

/// Reads the element of an array, the key or the value of a map.
Field read_child(const Json& type, std::string_view name, bool nullable, const Path& path,
                 int depth) {
  return {.name = std::string(name), .nullable = nullable, .type = read_type(type, path, depth)};
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
    field.nullable = flag(item, "nullable", below);
    field.type = read_type(json_member(item, "type", below), below, depth + 1);
    const auto metadata = item.find("metadata");
    if (metadata == item.end() || metadata->is_null()) continue;
    if (!metadata->is_object()) {
      fail_json(below,
                fmt::format("expected metadata as an object, found {}", shown_json(*metadata)));
    }
    for (const auto& [key, value] : metadata->items()) {
      field.metadata.emplace_back(key, value.dump());
    }
    // An object has no order, and deltalake gives another one each time.
    std::ranges::sort(field.metadata);
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
  if (word == kind_row(Kind::Array).name) {
    return {.kind = Kind::Array,
            .children = {read_child(json_member(json, "elementType", path), kElement,
                                    flag(json, "containsNull", path), path.item(), depth + 1)}};
  }
  if (word == kind_row(Kind::Map).name) {
    return {
        .kind = Kind::Map,
        .children = {
            read_child(json_member(json, "keyType", path), kKey, false, path.map_key(), depth + 1),
            read_child(json_member(json, "valueType", path), kValue,
                       flag(json, "valueContainsNull", path), path.map_value(), depth + 1)}};
  }
  fail_json(path, fmt::format("expected struct, array or map, found {}", clipped(word)));
}

Schema read_schema(const Json& json) {
  if (json.value("type", Json()) != kind_row(Kind::Struct).name) {
    fail_json({},
              fmt::format("expected a struct, found {}", shown_json(json.value("type", Json()))));
  }
  return {.fields = read_fields(json, Path(), 0)};
}

/// Takes the schema out of an action of a table's log.
Schema read_metadata(const Json& action) {
  const std::string inside = json_string(json_member(action, "schemaString", {}), "the schema", {});
  check_json_document(inside, ErrorCode::Input);
  Schema schema = read_schema(Json::parse(inside));
  const auto add = [&](const char* name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    schema.table.emplace_back(name, cut_utf8(join(values, ", "), kLongestLabel));
  };
  std::vector<std::string> names;
  if (const auto columns = action.find("partitionColumns"); columns != action.end()) {
    for (const Json& column : *columns)
      names.push_back(json_string(column, "a partition column", {}));
  }
  add("partition_columns", names);
  names.clear();
  if (const auto properties = action.find("configuration");
      properties != action.end() && properties->is_object()) {
    for (const auto& [name, value] : properties->items()) names.push_back(name);
  }
  add("properties", names);
  return schema;
}

// --- writing ------------------------------------------------------------------------------------

Json type_json(const Type& type);

Json fields_json(const std::vector<Field>& fields) {
  Json out = Json::array();
  for (const Field& field : fields) {
    Json& json = out.emplace_back(
        Json{{"name", field.name}, {"type", type_json(field.type)}, {"nullable", field.nullable}});
    Json& metadata = json["metadata"] = Json::object();
    for (const auto& [key, value] : field.metadata) metadata[key] = Json::parse(value);
  }
  return out;
}

Json type_json(const Type& type) {
  if (!is_nested(type.kind)) return print_primitive(type);
  if (type.kind == Kind::Struct)
    return {{"type", "struct"}, {"fields", fields_json(type.children)}};
  const auto* children = type.children.data();
  if (type.kind == Kind::Array) {
    return {{"type", "array"},
            {"elementType", type_json(children[0].type)},
            {"containsNull", children[0].nullable}};
  }
  return {{"type", "map"},
          {"keyType", type_json(children[0].type)},
          {"valueType", type_json(children[1].type)},
          {"valueContainsNull", children[1].nullable}};
}

}  // namespace

Schema read_json(std::string_view bytes) {
  return read_json_object(bytes, "a Delta schema", [](const Json& json) {
    if (json.contains("schemaString")) return read_metadata(json);
    return json.contains("metaData") ? read_metadata(json["metaData"]) : read_schema(json);
  });
}

std::string write_json(const Schema& schema, int indent) {
  return Json{{"type", "struct"}, {"fields", fields_json(schema.fields)}}.dump(indent);
}

}  // namespace xwalk::delta
