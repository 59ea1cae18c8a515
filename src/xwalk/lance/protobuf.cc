// The wire form: a flat list of Field messages, linked by parent ids.

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/lance/schema.h"
#include "xwalk/lance/schema.pb.h"

namespace xwalk::lance {
namespace {

constexpr int32_t kNoParent = -1;

[[noreturn]] void fail(const std::string& message, std::string_view field = {}) {
  Place place;
  if (!field.empty()) place.path = Path::column(field);
  throw Error(ErrorCode::Input, message, place);
}

/// Returns the bytes of the fields that the IDL beside this file does not name. The lite runtime
/// keeps them inside a message, but does not show them.
std::string unknown_bytes(const wire::Field& message) {
  using google::protobuf::internal::WireFormatLite;
  std::string bytes = message.SerializeAsString();
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  std::string unknown;
  for (;;) {
    auto begin = static_cast<size_t>(stream.CurrentPosition());
    uint32_t tag = stream.ReadTag();
    if (tag == 0 || !WireFormatLite::SkipField(&stream, tag)) return unknown;
    int number = WireFormatLite::GetTagFieldNumber(tag);
    bool known = number <= 15 && number != 11 && number != 14;
    if (!known)
      unknown += bytes.substr(begin, static_cast<size_t>(stream.CurrentPosition()) - begin);
  }
}

Field from_message(const wire::Field& message) {
  Field field;
  field.name = message.name();
  field.id = message.id();
  try {
    field.type = parse_logical_type(message.logical_type());
  } catch (Error& error) {
    error.place().path = Path::column(field.name);
    throw;
  }
  if (print_logical_type(field.type) != message.logical_type()) {
    field.spelling = message.logical_type();
  }
  field.nullable = message.nullable();
  field.encoding = static_cast<Encoding>(message.encoding());
  if (message.has_dictionary()) field.dictionary = message.dictionary();
  for (const wire::KeyValue& entry : message.metadata()) {
    field.metadata.set(entry.key(), entry.value());
  }
  if (!message.extension_name().empty()) {
    field.metadata.set(hub::kExtensionName, message.extension_name());
  }
  field.primary_key_position = message.unenforced_primary_key_position();
  field.primary_key = message.unenforced_primary_key() || field.primary_key_position > 0;
  field.clustering_key_position = message.unenforced_clustering_key_position();
  field.unknown = unknown_bytes(message);
  return field;
}

void to_messages(const Field& field, int32_t parent,
                 const std::function<wire::Field*()>& add_message) {
  wire::Field* message = add_message();
  message->set_name(field.name);
  message->set_id(field.id);
  message->set_parent_id(parent);
  message->set_logical_type(field.spelling.empty() ? print_logical_type(field.type)
                                                   : field.spelling);
  message->set_nullable(field.nullable);
  message->set_encoding(static_cast<int>(field.encoding));
  if (field.dictionary) message->set_dictionary(*field.dictionary);
  if (auto name = field.metadata.find(hub::kExtensionName)) {
    message->set_extension_name(std::string(*name));
  }
  for (const auto& [key, value] : field.metadata) {
    wire::KeyValue* entry = message->add_metadata();
    entry->set_key(key);
    entry->set_value(value);
  }
  message->set_unenforced_primary_key(field.primary_key);
  message->set_unenforced_primary_key_position(field.primary_key_position);
  message->set_unenforced_clustering_key_position(field.clustering_key_position);
  message->MergeFromString(field.unknown);
  for (const Field& child : field.children) to_messages(child, field.id, add_message);
}

/// A field of the flat list, before its children are put inside it.
struct Flat {
  Field field;
  int32_t parent;
  /// Position of the parent in the list, -1 at the top.
  int64_t parent_at = -1;
};

std::vector<Field> nest(std::vector<Flat> flat) {
  std::map<int32_t, int64_t> places;
  std::vector<int> depths(flat.size(), 0);
  for (size_t i = 0; i < flat.size(); ++i) {
    if (flat[i].parent != kNoParent) {
      auto parent = places.find(flat[i].parent);
      if (parent == places.end()) {
        fail(fmt::format("expected the parent {} earlier in the list of fields, found none",
                         flat[i].parent),
             flat[i].field.name);
      }
      flat[i].parent_at = parent->second;
      depths[i] = depths[static_cast<size_t>(parent->second)] + 1;
      if (depths[i] > limits::kSchemaDepth) {
        fail(fmt::format("expected at most {} nested fields", limits::kSchemaDepth),
             flat[i].field.name);
      }
    }
    // The last field of an id is the one that later fields mean.
    places[flat[i].field.id] = static_cast<int64_t>(i);
  }
  // Backwards, so that a field is whole before it moves into its parent.
  std::vector<Field> top;
  for (size_t i = flat.size(); i-- > 0;) {
    std::vector<Field>& siblings =
        flat[i].parent_at < 0 ? top : flat[static_cast<size_t>(flat[i].parent_at)].field.children;
    std::reverse(flat[i].field.children.begin(), flat[i].field.children.end());
    siblings.push_back(std::move(flat[i].field));
  }
  std::reverse(top.begin(), top.end());
  return top;
}

void parse(std::string_view bytes, std::string_view what, google::protobuf::MessageLite* out) {
  if (bytes.size() > limits::kSchemaBytes ||
      !out->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    fail(fmt::format("expected {} in Protobuf form, found {} bytes that do not parse", what,
                     bytes.size()));
  }
}

}  // namespace

Schema read_fields(const std::vector<std::string>& messages) {
  std::vector<Flat> flat;
  flat.reserve(messages.size());
  for (const std::string& bytes : messages) {
    wire::Field message;
    parse(bytes, "a Field", &message);
    flat.push_back({from_message(message), message.parent_id()});
  }
  return {nest(std::move(flat)), {}};
}

std::vector<std::string> write_fields(const Schema& schema) {
  wire::Schema all;
  for (const Field& field : schema.fields) {
    to_messages(field, kNoParent, [&] { return all.add_fields(); });
  }
  std::vector<std::string> messages;
  for (const wire::Field& message : all.fields()) messages.push_back(message.SerializeAsString());
  return messages;
}

Schema read_protobuf(std::string_view bytes) {
  wire::Schema message;
  parse(bytes, "a Schema", &message);
  std::vector<Flat> flat;
  for (const wire::Field& field : message.fields()) {
    flat.push_back({from_message(field), field.parent_id()});
  }
  Schema schema{nest(std::move(flat)), {}};
  for (const wire::KeyValue& entry : message.metadata()) {
    schema.metadata.set(entry.key(), entry.value());
  }
  return schema;
}

std::string write_protobuf(const Schema& schema) {
  wire::Schema message;
  for (const Field& field : schema.fields) {
    to_messages(field, kNoParent, [&] { return message.add_fields(); });
  }
  for (const auto& [key, value] : schema.metadata) {
    wire::KeyValue* entry = message.add_metadata();
    entry->set_key(key);
    entry->set_value(value);
  }
  return message.SerializeAsString();
}

}  // namespace xwalk::lance
