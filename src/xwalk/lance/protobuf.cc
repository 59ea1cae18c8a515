#include "xwalk/lance/protobuf.h"

// The wire form: a flat list of Field messages, linked by parent ids.

#include <functional>

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include "xwalk/base/error.h"
#include "xwalk/base/protobuf_fields.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/lance/schema.pb.h"

namespace xwalk::lance {
namespace {

/// Tags of the fields of a Schema, each a message.
constexpr uint32_t kFieldTag = 1 << 3 | 2;
constexpr uint32_t kMetadataTag = 5 << 3 | 2;

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

const std::string& checked_text(const std::string& bytes, std::string_view what) {
  if (!is_valid_utf8(bytes)) {
    fail(fmt::format("expected {} in UTF-8, found {}", what, clipped(bytes)));
  }
  return bytes;
}

Field from_message(const wire::Field& message) {
  Field field;
  field.name = checked_text(message.name(), "a field's name");
  field.id = message.id();
  try {
    field.type = parse_logical_type(checked_text(message.logical_type(), "a logical type"));
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
    field.metadata.set(checked_text(entry.key(), "a metadata key"), entry.value());
  }
  if (!message.extension_name().empty()) {
    field.metadata.set(hub::kExtensionName,
                       checked_text(message.extension_name(), "an extension's name"));
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

void parse(std::string_view bytes, std::string_view what, google::protobuf::MessageLite* out) {
  check_schema_size(bytes.size());
  if (!out->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    refuse_protobuf(bytes, what);
  }
}

}  // namespace

Schema read_fields(const std::vector<std::string>& messages) {
  FlatSchema flat;
  flat.fields.reserve(messages.size());
  for (const std::string& bytes : messages) {
    wire::Field message;
    parse(bytes, "a Field", &message);
    flat.fields.push_back({from_message(message), message.parent_id()});
  }
  return nest(std::move(flat));
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

FlatSchema read_flat_protobuf(std::string_view bytes) {
  using google::protobuf::internal::WireFormatLite;
  check_schema_size(bytes.size());
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  FlatSchema flat;
  const auto part = [&](google::protobuf::MessageLite* out) {
    uint32_t size = 0;
    const bool whole = stream.ReadVarint32(&size);
    const auto at = static_cast<size_t>(stream.CurrentPosition());
    if (!whole || size > bytes.size() - at || !stream.Skip(static_cast<int>(size)) ||
        !out->ParseFromArray(bytes.data() + at, static_cast<int>(size))) {
      refuse_protobuf(bytes, "a Schema");
    }
  };
  // One after another: as messages, fields take many times the memory of their bytes.
  while (const uint32_t tag = stream.ReadTag()) {
    if (tag == kFieldTag) {
      wire::Field field;
      part(&field);
      flat.fields.push_back({from_message(field), field.parent_id()});
    } else if (tag == kMetadataTag) {
      wire::KeyValue entry;
      part(&entry);
      flat.metadata.set(checked_text(entry.key(), "a metadata key"), entry.value());
    } else if (!WireFormatLite::SkipField(&stream, tag)) {
      refuse_protobuf(bytes, "a Schema");
    }
  }
  if (!stream.ConsumedEntireMessage()) refuse_protobuf(bytes, "a Schema");
  // Any two bytes may parse as a message of unknown fields.
  if (!bytes.empty() && flat.fields.empty() && flat.metadata.empty()) {
    throw Error(ErrorCode::Input,
                "expected a Schema in Protobuf form, found a message without a field of one",
                {.byte = 0});
  }
  return flat;
}

Schema read_protobuf(std::string_view bytes) { return nest(read_flat_protobuf(bytes)); }

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
