#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "pyarrow_text.h"
#include "runner.h"
#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
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
lance::Schema with_metadata_in_order(lance::Schema schema) {
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
  for (const std::string& message : lance::write_fields(with_metadata_in_order(schema))) {
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
    // Writers leave the first member of the message, a kind of node, as it is.
    same("type", 0);
    same("name", field.name);
    same("id", field.id);
    same("parent_id", parent);
    same("logical_type", lance::print_logical_type(field.type));
    same("nullable", field.nullable);
    same("encoding", static_cast<int>(field.encoding));
    Json metadata = Json::object();
    for (const auto& [key, value] : field.metadata) metadata[key] = value;
    same("metadata", metadata);
    same("extension_name", metadata.value("ARROW:extension:name", ""));
    same("unenforced_primary_key", field.primary_key);
    same("unenforced_primary_key_position", field.primary_key_position);
    same("unenforced_clustering_key_position", field.clustering_key_position);
    compare_fields(expected, field.children, field.id, at);
  }
}

/// Compares messages as bytes, entries of metadata in whatever order.
void compare_messages(const std::vector<std::string>& expected,
                      const std::vector<std::string>& found) {
  expect_equal("messages", std::to_string(expected.size()), std::to_string(found.size()));
  for (size_t i = 0; i < expected.size(); ++i) {
    std::string left = expected[i];
    std::string right = found[i];
    std::ranges::sort(left);
    std::ranges::sort(right);
    if (left != right) throw Mismatch{"message " + to_hex(expected[i]), to_hex(found[i])};
  }
}

/// Parameters that packages print although they are in the types' own metadata.
const std::map<std::string_view, std::string_view> kParameters = {
    {"arrow.fixed_shape_tensor", "[value_type=float, shape=[2,2]]"},
    {"arrow.opaque", "[storage_type=binary, type_name=t, vendor_name=v]"},
    {"lance.bfloat16", "<BFloat16Type>"},
};

/// Compares with a schema that pyarrow printed. It shows types that a package has registered by
/// their name and parameters, and other types as their storage.
void compare_text(const char* what, std::string expected, const hub::Schema& found) {
  expected = with_sorted_metadata(expected);
  const std::string shown = pyarrow_schema_text(found.fields, true);
  if (expected == shown || expected == pyarrow_schema_text(found.fields, false)) return;
  const hub::Field& field = found.fields.at(0);
  auto parameters = kParameters.find(field.extension_name());
  if (parameters != kParameters.end() &&
      expected == fmt::format("{}: extension<{}{}>", field.name, field.extension_name(),
                              parameters->second)) {
    return;
  }
  throw Mismatch{fmt::format("{} = {}", what, expected), shown};
}

/// A schema's metadata as pyarrow prints it.
std::string schema_metadata_text(const std::string& json) {
  std::string text;
  const Json entries = Json::parse(json);
  for (const auto& [key, value] : entries.items()) {
    const auto bytes = value.get<std::vector<uint8_t>>();
    text += fmt::format("\n{}: '{}'", key, std::string(bytes.begin(), bytes.end()));
  }
  return text.empty() ? text : "\n-- schema metadata --" + text;
}

void arrow_to_lance(const Json& vector, const Context& context) {
  hub::Schema schema =
      arrow::read_ipc_schema(from_base64(vector.at("arrow_ipc_schema_b64").get<std::string>()));
  const Json& expected = vector.at("from_arrow");
  if (!expected.value("ok", false)) {
    context.expect_refused("the schema", [&] { lance::from_arrow(schema); });
    return;
  }
  lance::Schema found = lance::from_arrow(schema).schema;
  size_t at = 0;
  compare_fields(expected.at("fields"), found.fields, -1, &at);
  if (at != expected.at("fields").size()) throw Mismatch{"more fields", "none"};
  Json metadata = Json::object();
  for (const auto& [key, value] : found.metadata) metadata[key] = value;
  expect_equal("schema_metadata", expected.at("schema_metadata").dump(), metadata.dump());
  const std::vector<std::string> messages = messages_of(expected.at("field_protos_hex"));
  compare_messages(messages, lance::write_fields(found));
  expect_equal("messages", hex_of(lance::read_fields(messages)), hex_of(found));
  if (expected.contains("back_to_arrow")) {
    compare_text("back_to_arrow", expected.at("back_to_arrow"),
                 hub::without_annotations(lance::to_arrow(found)));
  }
  if (!(lance::read_protobuf(lance::write_protobuf(found)) == found)) {
    throw Mismatch{"the Schema message to read back", "another schema"};
  }
}

void proto_to_arrow(const Json& vector, const Context& context) {
  const Json& expected = vector.at("result");
  std::vector<std::string> messages = messages_of(vector.at("protos"));
  // A schema's metadata is in the manifest, next to the messages.
  const std::string metadata = schema_metadata_text(vector.value("metadata_json", "{}"));
  if (!expected.contains("types")) {
    context.expect_refused("the fields", [&] { lance::to_arrow(lance::read_fields(messages)); });
    return;
  }
  lance::Schema schema = lance::read_fields(messages);
  hub::Schema found = hub::without_annotations(lance::to_arrow(schema));
  Json types = Json::array();
  for (const hub::Field& field : found.fields) types.push_back(pyarrow_type_text(field));
  expect_equal("types", expected.at("types").dump(), types.dump());
  std::string arrow = expected.at("arrow");
  expect(arrow.ends_with(metadata), metadata, arrow);
  arrow.resize(arrow.size() - metadata.size());
  compare_text("arrow", arrow, found);
  if (expected.contains("reser")) {
    // What this version does not know is kept here, and by the living system is not.
    const bool known = std::ranges::all_of(
        schema.fields, [](const lance::Field& field) { return field.unknown.empty(); });
    const std::vector<std::string> written = messages_of(expected.at("reser"));
    if (known) compare_messages(written, lance::write_fields(schema));
    expect_equal("bytes written again", hex_of(lance::read_fields(written)), hex_of(schema));
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
