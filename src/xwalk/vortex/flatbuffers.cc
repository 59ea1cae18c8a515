#include "xwalk/vortex/flatbuffers.h"

// The FlatBuffers form. The order in which children are built is part of the format: it decides the
// bytes.

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/base/verified.h"
#include "xwalk/vortex/dtype_generated.h"

namespace xwalk::vortex {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

/// Tables on one path, as the living system's verifier counts: two a DType.
constexpr int kMaxDepth = 64;

Offset<wire::DType> build(FlatBufferBuilder& builder, const DType& type);

std::vector<Offset<flatbuffers::String>> build_names(FlatBufferBuilder& builder,
                                                     std::span<const Member> members) {
  std::vector<Offset<flatbuffers::String>> names;
  for (const Member& member : members) names.push_back(builder.CreateString(member.name));
  return names;
}

std::vector<Offset<wire::DType>> build_types(FlatBufferBuilder& builder,
                                             std::span<const Member> members) {
  std::vector<Offset<wire::DType>> types;
  for (const Member& member : members) types.push_back(build(builder, member.type));
  return types;
}

Offset<void> build_variant(FlatBufferBuilder& builder, const DType& type) {
  bool nullable = type.nullable();
  switch (type.kind()) {
    case Kind::Null:
      return wire::CreateNull(builder).Union();
    case Kind::Bool:
      return wire::CreateBool(builder, nullable).Union();
    case Kind::Primitive:
      return wire::CreatePrimitive(builder, static_cast<wire::PType>(type.ptype()), nullable)
          .Union();
    case Kind::Decimal:
      return wire::CreateDecimal(builder, static_cast<uint8_t>(type.precision()),
                                 static_cast<int8_t>(type.scale()), nullable)
          .Union();
    case Kind::Utf8:
      return wire::CreateUtf8(builder, nullable).Union();
    case Kind::Binary:
      return wire::CreateBinary(builder, nullable).Union();
    case Kind::Struct: {
      auto names = builder.CreateVector(build_names(builder, type.members()));
      auto types = builder.CreateVector(build_types(builder, type.members()));
      return wire::CreateStruct_(builder, names, types, nullable).Union();
    }
    case Kind::List: {
      auto element = build(builder, type.element());
      return wire::CreateList(builder, element, nullable).Union();
    }
    case Kind::Extension: {
      auto id = builder.CreateString(type.id());
      auto storage = build(builder, type.storage());
      auto metadata = builder.CreateVector(
          std::vector<uint8_t>(type.metadata().begin(), type.metadata().end()));
      return wire::CreateExtension(builder, id, storage, metadata).Union();
    }
    case Kind::FixedSizeList: {
      auto element = build(builder, type.element());
      return wire::CreateFixedSizeList(builder, element, type.size(), nullable).Union();
    }
    case Kind::Variant:
      return wire::CreateVariant(builder, nullable).Union();
    case Kind::Union: {
      auto names = builder.CreateVector(build_names(builder, type.members()));
      auto types = builder.CreateVector(build_types(builder, type.members()));
      auto ids =
          builder.CreateVector(std::vector<int8_t>(type.type_ids().begin(), type.type_ids().end()));
      return wire::CreateUnion(builder, names, types, ids, nullable).Union();
    }
    case Kind::Map: {
      auto key = build(builder, type.key());
      auto value = build(builder, type.value());
      return wire::CreateMap(builder, key, value, type.keys_sorted(), nullable).Union();
    }
  }
  throw Error(ErrorCode::Internal, "a DType without a kind");
}

Offset<wire::DType> build(FlatBufferBuilder& builder, const DType& type) {
  auto variant = build_variant(builder, type);
  return wire::CreateDType(builder, static_cast<wire::Type>(type.kind()), variant);
}

[[noreturn]] void missing(std::string_view what) {
  throw Error(ErrorCode::Input, fmt::format("expected {} in a DType, found none", what));
}

/// Memory of a DType without its texts.
constexpr uint64_t kTypeMemory = 256;

std::string string_of(const flatbuffers::String* text, std::string_view what,
                      SchemaMemory* memory) {
  if (text == nullptr) missing(what);
  memory->take(text->size());
  if (!is_valid_utf8(text->string_view())) {
    throw Error(ErrorCode::Input,
                fmt::format("expected UTF-8 as {}, found {}", what, clipped(text->string_view())));
  }
  return text->str();
}

DType read(const wire::DType* type, std::string_view what, SchemaMemory* memory);

template <typename Names, typename Types>
std::vector<Member> read_members(const Names* names, const Types* types, std::string_view what,
                                 SchemaMemory* memory) {
  if (names == nullptr) missing(fmt::format("the names of a {}", what));
  if (types == nullptr) missing(fmt::format("the dtypes of a {}", what));
  if (names->size() != types->size()) {
    throw Error(ErrorCode::Input, fmt::format("expected as many names as dtypes of a {}, found {} "
                                              "names and {} dtypes",
                                              what, names->size(), types->size()));
  }
  std::vector<Member> members;
  members.reserve(names->size());
  for (flatbuffers::uoffset_t i = 0; i < names->size(); ++i) {
    members.push_back({string_of(names->Get(i), "a name", memory),
                       read(types->Get(i), "a field's type", memory)});
  }
  return members;
}

DType read(const wire::DType* type, std::string_view what, SchemaMemory* memory) {
  memory->take(kTypeMemory);
  if (type == nullptr) missing(what);
  if (type->type() == nullptr) missing("a variant");
  switch (type->type_type()) {
    case wire::Type::NONE:
      missing("a variant");
    case wire::Type::Null:
      return DType::null();
    case wire::Type::Bool:
      return DType::boolean(type->type_as_Bool()->nullable());
    case wire::Type::Primitive: {
      const auto* primitive = type->type_as_Primitive();
      if (primitive->ptype() > wire::PType::MAX) {
        throw Error(ErrorCode::Unsupported,
                    fmt::format("PType {} is newer than this version of xwalk",
                                static_cast<int>(primitive->ptype())));
      }
      return DType::primitive(static_cast<PType>(primitive->ptype()), primitive->nullable());
    }
    case wire::Type::Decimal: {
      const auto* decimal = type->type_as_Decimal();
      return DType::decimal(decimal->precision(), decimal->scale(), decimal->nullable());
    }
    case wire::Type::Utf8:
      return DType::utf8(type->type_as_Utf8()->nullable());
    case wire::Type::Binary:
      return DType::binary(type->type_as_Binary()->nullable());
    case wire::Type::Struct_: {
      const auto* fields = type->type_as_Struct_();
      return DType::struct_(read_members(fields->names(), fields->dtypes(), "struct", memory),
                            fields->nullable());
    }
    case wire::Type::List: {
      const auto* list = type->type_as_List();
      return DType::list(read(list->element_type(), "a list's element type", memory),
                         list->nullable());
    }
    case wire::Type::Extension: {
      const auto* extension = type->type_as_Extension();
      std::string id = string_of(extension->id(), "an extension's id", memory);
      DType storage = read(extension->storage_dtype(), "an extension's storage type", memory);
      std::string metadata;
      if (extension->metadata() != nullptr) {
        memory->take(extension->metadata()->size());
        metadata.assign(extension->metadata()->begin(), extension->metadata()->end());
      }
      return DType::extension(std::move(id), std::move(storage), std::move(metadata));
    }
    case wire::Type::FixedSizeList: {
      const auto* list = type->type_as_FixedSizeList();
      return DType::fixed_size_list(read(list->element_type(), "a list's element type", memory),
                                    list->size(), list->nullable());
    }
    case wire::Type::Variant:
      return DType::variant(type->type_as_Variant()->nullable());
    case wire::Type::Union: {
      const auto* variants = type->type_as_Union();
      if (variants->type_ids() == nullptr) missing("the type ids of a union");
      return DType::union_(
          read_members(variants->names(), variants->dtypes(), "union", memory),
          std::vector<uint8_t>(variants->type_ids()->begin(), variants->type_ids()->end()),
          variants->nullable());
    }
    case wire::Type::Map: {
      const auto* map = type->type_as_Map();
      return DType::map(read(map->key_type(), "a map's key type", memory),
                        read(map->value_type(), "a map's value type", memory), map->keys_sorted(),
                        map->nullable());
    }
  }
  throw Error(ErrorCode::Unsupported, fmt::format("DType variant {} is newer than this version of "
                                                  "xwalk",
                                                  static_cast<int>(type->type_type())));
}

}  // namespace

std::string write_flatbuffers(const DType& type) {
  FlatBufferBuilder builder;
  builder.Finish(build(builder, type));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

bool is_flatbuffers(std::string_view bytes) {
  try {
    const Verified<wire::DType> type(bytes, "a DType", std::nullopt, kMaxDepth);
    return type->type() != nullptr;
  } catch (const Error&) {
    return false;
  }
}

DType read_flatbuffers(std::string_view bytes) {
  const Verified<wire::DType> type(bytes, "a DType in FlatBuffers form", std::nullopt, kMaxDepth);
  SchemaMemory memory(bytes.size());
  return read(type.get(), "a DType", &memory);
}

}  // namespace xwalk::vortex
