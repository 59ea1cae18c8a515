#include <set>

#include <fmt/format.h>

#include "pyarrow_text.h"
#include "runner.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/lance/hub.h"
#include "xwalk/lance/schema.h"

namespace xwalk::vectors {
namespace {

std::vector<std::string> messages_of(const Json& hexes) {
  std::vector<std::string> messages;
  for (const Json& hex : hexes) messages.push_back(from_hex(hex.get<std::string>()));
  return messages;
}

/// Metadata comes in any order: compares the rest of the messages as bytes.
lance::Schema with_sorted_metadata(lance::Schema schema) {
  std::function<void(std::vector<lance::Field>&)> walk = [&](std::vector<lance::Field>& fields) {
    for (lance::Field& field : fields) {
      std::set<std::pair<std::string, std::string>> entries(field.metadata.begin(),
                                                            field.metadata.end());
      field.metadata = {};
      for (const auto& [key, value] : entries) field.metadata.append(key, value);
      walk(field.children);
    }
  };
  walk(schema.fields);
  return schema;
}

std::string hex_of(const lance::Schema& schema) {
  std::string out;
  for (const std::string& message : lance::write_fields(with_sorted_metadata(schema))) {
    out += to_hex(message) + " ";
  }
  return out;
}

void compare_fields(const Json& expected, const std::vector<lance::Field>& fields, int32_t parent,
                    size_t* at) {
  for (const lance::Field& field : fields) {
    if (*at >= expected.size()) throw Mismatch{"no more fields", field.name};
    const Json& want = expected.at((*at)++);
    auto same = [&](const char* key, const Json& found) {
      if (want.contains(key) && want.at(key) != found) {
        throw Mismatch{fmt::format("{} of {} = {}", key, field.name, want.at(key).dump()),
                       found.dump()};
      }
    };
    same("name", field.name);
    same("id", field.id);
    same("parent_id", parent);
    same("logical_type", lance::print_logical_type(field.type));
    same("nullable", field.nullable);
    same("encoding", static_cast<int>(field.encoding));
    Json metadata = Json::object();
    for (const auto& [key, value] : field.metadata) metadata[key] = value;
    same("metadata", metadata);
    same("unenforced_primary_key", field.primary_key);
    same("unenforced_primary_key_position", field.primary_key_position);
    same("unenforced_clustering_key_position", field.clustering_key_position);
    compare_fields(expected, field.children, field.id, at);
  }
}

void arrow_to_lance(const Json& vector, const Context&) {
  hub::Schema schema =
      arrow::read_ipc_schema(from_base64(vector.at("arrow_ipc_schema_b64").get<std::string>()));
  const Json& expected = vector.at("from_arrow");
  if (!expected.value("ok", false)) {
    expect_refused("the schema", [&] { lance::from_arrow(schema); });
    return;
  }
  lance::Schema found = lance::from_arrow(schema).schema;
  size_t at = 0;
  compare_fields(expected.at("fields"), found.fields, -1, &at);
  if (at != expected.at("fields").size()) throw Mismatch{"more fields", "none"};
  expect_equal("messages", hex_of(lance::read_fields(messages_of(expected.at("field_protos_hex")))),
               hex_of(found));
  if (!(lance::read_protobuf(lance::write_protobuf(found)) == found)) {
    throw Mismatch{"the Schema message to read back", "another schema"};
  }
}

/// The lines of pyarrow's text that are field metadata: `key: 'value'`.
std::set<std::string> metadata_lines(const hub::Metadata& metadata) {
  std::set<std::string> lines;
  for (const auto& [key, value] : metadata) lines.insert(fmt::format("{}: '{}'", key, value));
  return lines;
}

void proto_to_arrow(const Json& vector, const Context&) {
  const Json& expected = vector.at("result");
  std::vector<std::string> messages = messages_of(vector.at("protos"));
  if (!expected.contains("types")) {
    expect_refused("the fields", [&] { lance::to_arrow(lance::read_fields(messages)); });
    return;
  }
  lance::Schema schema = lance::read_fields(messages);
  hub::Schema found = hub::without_annotations(lance::to_arrow(schema));
  Json types = Json::array();
  for (const hub::Field& field : found.fields) types.push_back(pyarrow_type_text(field));
  expect_equal("types", expected.at("types").dump(), types.dump());
  std::string text = expected.at("arrow");
  for (const hub::Field& field : found.fields) {
    if (!field.nullable && text.find(field.name + ": ") != std::string::npos) {
      expect(text.find(" not null") != std::string::npos, "a nullable field", "one not null");
    }
    if (pyarrow_type_text(field).starts_with("extension<")) continue;
    for (const std::string& line : metadata_lines(field.metadata)) {
      expect(text.find(line) != std::string::npos, text, line);
    }
  }
  // Nothing is lost on rewriting: fields and bytes this version does not know included.
  expect_equal("messages", hex_of(schema), hex_of(lance::read_fields(lance::write_fields(schema))));
  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const std::string& unknown = schema.fields[i].unknown;
    if (unknown.empty()) continue;
    expect(lance::write_fields(schema)[i].find(unknown) != std::string::npos, "unknown bytes kept",
           "lost");
  }
}

}  // namespace

void add_lance_checks(Checks* checks) {
  (*checks)["arrow_to_lance"] = arrow_to_lance;
  (*checks)["proto_to_arrow"] = proto_to_arrow;
}

}  // namespace xwalk::vectors
