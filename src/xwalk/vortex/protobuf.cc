#include "xwalk/vortex/protobuf.h"

// The Protobuf form.

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>

#include "xwalk/base/error.h"
#include "xwalk/base/protobuf_fields.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/vortex/protobuf_internal.h"

namespace xwalk::vortex {
namespace {

namespace proto = wire::proto;

/// Nested messages, as the living system's decoder allows: two a list.
constexpr int kMaxMessages = 100;

[[noreturn]] void missing_member(std::string_view what) {
  throw Error(ErrorCode::Input, fmt::format("expected {} in a DType, found none", what));
}

template <typename Message>
void write_members(std::span<const Member> members, Message* out) {
  for (const Member& member : members) {
    out->add_names(member.name);
    to_proto(member.type, out->add_dtypes());
  }
}

template <typename Message>
std::vector<Member> read_members(const Message& message) {
  if (message.names_size() != message.dtypes_size()) {
    throw Error(ErrorCode::Input,
                fmt::format("expected as many names as dtypes, found {} names and {} dtypes",
                            message.names_size(), message.dtypes_size()));
  }
  std::vector<Member> members;
  members.reserve(static_cast<size_t>(message.names_size()));
  for (int i = 0; i < message.names_size(); ++i) {
    members.push_back({checked_text(message.names(i), "a name"), from_proto(message.dtypes(i))});
  }
  return members;
}

}  // namespace

void to_proto(const DType& type, proto::DType* out) {
  bool nullable = type.nullable();
  switch (type.kind()) {
    case Kind::Null:
      out->mutable_null();
      return;
    case Kind::Bool:
      out->mutable_bool_()->set_nullable(nullable);
      return;
    case Kind::Primitive:
      out->mutable_primitive()->set_type(static_cast<proto::PType>(type.ptype()));
      out->mutable_primitive()->set_nullable(nullable);
      return;
    case Kind::Decimal:
      out->mutable_decimal()->set_precision(static_cast<uint32_t>(type.precision()));
      out->mutable_decimal()->set_scale(type.scale());
      out->mutable_decimal()->set_nullable(nullable);
      return;
    case Kind::Utf8:
      out->mutable_utf8()->set_nullable(nullable);
      return;
    case Kind::Binary:
      out->mutable_binary()->set_nullable(nullable);
      return;
    case Kind::Struct:
      write_members(type.members(), out->mutable_struct_());
      out->mutable_struct_()->set_nullable(nullable);
      return;
    case Kind::List:
      to_proto(type.element(), out->mutable_list()->mutable_element_type());
      out->mutable_list()->set_nullable(nullable);
      return;
    case Kind::Extension:
      out->mutable_extension()->set_id(type.id());
      to_proto(type.storage(), out->mutable_extension()->mutable_storage_dtype());
      out->mutable_extension()->set_metadata(type.metadata());
      return;
    case Kind::FixedSizeList:
      to_proto(type.element(), out->mutable_fixed_size_list()->mutable_element_type());
      out->mutable_fixed_size_list()->set_size(type.size());
      out->mutable_fixed_size_list()->set_nullable(nullable);
      return;
    case Kind::Variant:
      out->mutable_variant()->set_nullable(nullable);
      return;
    case Kind::Union:
      write_members(type.members(), out->mutable_union_());
      for (uint8_t id : type.type_ids()) out->mutable_union_()->add_type_ids(id);
      out->mutable_union_()->set_nullable(nullable);
      return;
    case Kind::Map:
      to_proto(type.key(), out->mutable_map()->mutable_key_type());
      to_proto(type.value(), out->mutable_map()->mutable_value_type());
      out->mutable_map()->set_keys_sorted(type.keys_sorted());
      out->mutable_map()->set_nullable(nullable);
      return;
  }
}

DType from_proto(const proto::DType& message) {
  switch (message.dtype_type_case()) {
    case proto::DType::kNull:
      return DType::null();
    case proto::DType::kBool:
      return DType::boolean(message.bool_().nullable());
    case proto::DType::kPrimitive:
      if (!proto::PType_IsValid(message.primitive().type())) {
        throw Error(ErrorCode::Unsupported,
                    fmt::format("PType {} is newer than this version of xwalk",
                                static_cast<int>(message.primitive().type())));
      }
      return DType::primitive(static_cast<PType>(message.primitive().type()),
                              message.primitive().nullable());
    case proto::DType::kDecimal: {
      const proto::Decimal& decimal = message.decimal();
      if (decimal.precision() > 255 || decimal.scale() < -128 || decimal.scale() > 127) {
        throw Error(ErrorCode::Input,
                    fmt::format("expected a decimal precision and scale of one byte, found {} and "
                                "{}",
                                decimal.precision(), decimal.scale()));
      }
      return DType::decimal(static_cast<int>(decimal.precision()), decimal.scale(),
                            decimal.nullable());
    }
    case proto::DType::kUtf8:
      return DType::utf8(message.utf8().nullable());
    case proto::DType::kBinary:
      return DType::binary(message.binary().nullable());
    case proto::DType::kStruct:
      return DType::struct_(read_members(message.struct_()), message.struct_().nullable());
    case proto::DType::kList:
      if (!message.list().has_element_type()) missing_member("a list's element type");
      return DType::list(from_proto(message.list().element_type()), message.list().nullable());
    case proto::DType::kExtension:
      if (!message.extension().has_storage_dtype()) missing_member("an extension's storage type");
      return DType::extension(checked_text(message.extension().id(), "an extension's id"),
                              from_proto(message.extension().storage_dtype()),
                              message.extension().metadata());
    case proto::DType::kFixedSizeList:
      if (!message.fixed_size_list().has_element_type()) missing_member("a list's element type");
      return DType::fixed_size_list(from_proto(message.fixed_size_list().element_type()),
                                    message.fixed_size_list().size(),
                                    message.fixed_size_list().nullable());
    case proto::DType::kVariant:
      return DType::variant(message.variant().nullable());
    case proto::DType::kUnion: {
      std::vector<uint8_t> ids;
      for (int32_t id : message.union_().type_ids()) {
        if (id < 0 || id > 255) {
          throw Error(ErrorCode::Input,
                      fmt::format("expected a union type id from 0 to 255, found {}", id));
        }
        ids.push_back(static_cast<uint8_t>(id));
      }
      return DType::union_(read_members(message.union_()), std::move(ids),
                           message.union_().nullable());
    }
    case proto::DType::kMap:
      if (!message.map().has_key_type()) missing_member("a map's key type");
      if (!message.map().has_value_type()) missing_member("a map's value type");
      return DType::map(from_proto(message.map().key_type()),
                        from_proto(message.map().value_type()), message.map().keys_sorted(),
                        message.map().nullable());
    case proto::DType::DTYPE_TYPE_NOT_SET:
      break;
  }
  throw Error(ErrorCode::Unsupported,
              "expected a DType variant of 1 to 13, found none or one that is newer than this "
              "version of xwalk");
}

void parse_message(std::string_view bytes, std::string_view what,
                   google::protobuf::MessageLite* out) {
  check_schema_size(bytes.size());
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kMaxMessages);
  if (!out->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    refuse_protobuf(bytes, what);
  }
}

const std::string& checked_text(const std::string& bytes, std::string_view what) {
  if (!is_valid_utf8(bytes)) {
    throw Error(ErrorCode::Input,
                fmt::format("expected {} in UTF-8, found {}", what, clipped(bytes)));
  }
  return bytes;
}

std::string write_protobuf(const DType& type) {
  proto::DType message;
  to_proto(type, &message);
  return message.SerializeAsString();
}

DType read_protobuf(std::string_view bytes) {
  proto::DType message;
  parse_message(bytes, "a DType", &message);
  try {
    return from_proto(message);
  } catch (Error& error) {
    // What is parsed knows its place no more than that it is this message.
    if (!error.place().byte) error.place().byte = 0;
    throw;
  }
}

}  // namespace xwalk::vortex
