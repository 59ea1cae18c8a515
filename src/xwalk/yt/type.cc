#include "xwalk/yt/type.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::yt {

struct Type::Parameters {
  std::vector<Member> members;
  std::vector<std::string> removed_members;
  std::string tag;
  bool named = false;
  int precision = 0;
  int scale = 0;

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

namespace {

const Type::Parameters kNoParameters;

Type make(TypeKind kind, Type::Parameters parameters) {
  return Type(kind, std::make_shared<const Type::Parameters>(std::move(parameters)));
}

std::vector<Member> elements_of(std::vector<Type> types) {
  std::vector<Member> members;
  members.reserve(types.size());
  for (Type& type : types) members.emplace_back("", std::move(type));
  return members;
}

constexpr std::string_view kKindNames[] = {
    "null",          "int64",          "uint64",   "double",      "float",        "bool",
    "string",        "yson",           "json",     "int8",        "uint8",        "int16",
    "uint16",        "int32",          "uint32",   "utf8",        "date",         "datetime",
    "timestamp",     "interval",       "void",     "uuid",        "date32",       "datetime64",
    "timestamp64",   "interval64",     "tz_date",  "tz_datetime", "tz_timestamp", "tz_date32",
    "tz_datetime64", "tz_timestamp64", "optional", "list",        "struct",       "tuple",
    "variant",       "dict",           "tagged",   "decimal",
};
static_assert(std::size(kKindNames) == static_cast<size_t>(TypeKind::Decimal) + 1);

/// Yson is out of the question inside keys; only a whole column may be it.
bool is_comparable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Yson:
    case TypeKind::Json:
    case TypeKind::Struct:
    case TypeKind::Dict:
      return false;
    case TypeKind::Variant:
      if (type.is_named()) return false;
      [[fallthrough]];
    case TypeKind::Tuple:
      return std::all_of(type.members().begin(), type.members().end(),
                         [](const Member& member) { return is_comparable(member.type); });
    case TypeKind::Optional:
    case TypeKind::List:
    case TypeKind::Tagged:
      return is_comparable(type.item());
    default:
      return true;
  }
}

}  // namespace

Type::Type(TypeKind simple) : kind_(simple) {}

#define XWALK_PARAMETERS (parameters_ ? *parameters_ : kNoParameters)
const Type& Type::item() const { return XWALK_PARAMETERS.members.at(0).type; }
const std::string& Type::tag() const { return XWALK_PARAMETERS.tag; }
std::span<const Member> Type::members() const { return XWALK_PARAMETERS.members; }
bool Type::is_named() const { return XWALK_PARAMETERS.named; }
std::span<const std::string> Type::removed_members() const {
  return XWALK_PARAMETERS.removed_members;
}
const Type& Type::key() const { return XWALK_PARAMETERS.members.at(0).type; }
const Type& Type::value() const { return XWALK_PARAMETERS.members.at(1).type; }
int Type::precision() const { return XWALK_PARAMETERS.precision; }
int Type::scale() const { return XWALK_PARAMETERS.scale; }
#undef XWALK_PARAMETERS

bool operator==(const Type& a, const Type& b) {
  if (a.kind_ != b.kind_) return false;
  if (a.parameters_ == b.parameters_) return true;
  return (a.parameters_ ? *a.parameters_ : kNoParameters) ==
         (b.parameters_ ? *b.parameters_ : kNoParameters);
}

Type optional(Type item) {
  return make(TypeKind::Optional, {.members = elements_of({std::move(item)})});
}
Type list(Type item) { return make(TypeKind::List, {.members = elements_of({std::move(item)})}); }
Type struct_(std::vector<Member> members, std::vector<std::string> removed_members) {
  return make(TypeKind::Struct, {.members = std::move(members),
                                 .removed_members = std::move(removed_members),
                                 .named = true});
}
Type tuple(std::vector<Type> elements) {
  return make(TypeKind::Tuple, {.members = elements_of(std::move(elements))});
}
Type variant(std::vector<Member> members) {
  return make(TypeKind::Variant, {.members = std::move(members), .named = true});
}
Type variant_of(std::vector<Type> elements) {
  return make(TypeKind::Variant, {.members = elements_of(std::move(elements))});
}
Type dict(Type key, Type value) {
  return make(TypeKind::Dict, {.members = elements_of({std::move(key), std::move(value)})});
}
Type tagged(std::string tag, Type item) {
  return make(TypeKind::Tagged, {.members = elements_of({std::move(item)}), .tag = std::move(tag)});
}
Type decimal(int precision, int scale) {
  return make(TypeKind::Decimal, {.precision = precision, .scale = scale});
}

std::string_view kind_name(TypeKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::optional<TypeKind> kind_of_name(std::string_view name) {
  const auto* found = std::find(std::begin(kKindNames), std::end(kKindNames), name);
  if (found == std::end(kKindNames)) return std::nullopt;
  return static_cast<TypeKind>(found - std::begin(kKindNames));
}

std::optional<TypeKind> simple_kind(std::string_view name) {
  std::optional<TypeKind> kind = kind_of_name(name);
  return kind && is_simple(*kind) ? kind : std::nullopt;
}

std::string_view v1_name(TypeKind kind) {
  if (kind == TypeKind::Bool) return "boolean";
  if (kind == TypeKind::Yson) return "any";
  return kind_name(kind);
}

std::optional<TypeKind> kind_of_v1_name(std::string_view name) {
  if (name == "boolean") return TypeKind::Bool;
  if (name == "any") return TypeKind::Yson;
  if (name == "bool" || name == "yson") return std::nullopt;
  return simple_kind(name);
}

V1Type to_v1(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Optional:
      if (is_nullable(type.item())) return {TypeKind::Yson, false};
      return {to_v1(type.item()).type, false};
    case TypeKind::Tagged:
      return to_v1(type.item());
    case TypeKind::Decimal:
      return {TypeKind::String, true};
    case TypeKind::List:
    case TypeKind::Struct:
    case TypeKind::Tuple:
    case TypeKind::Variant:
    case TypeKind::Dict:
      return {TypeKind::Yson, true};
    default:
      return {type.kind(), !is_nullable(type)};
  }
}

Type from_v1(TypeKind type, bool required) {
  bool singular = type == TypeKind::Null || type == TypeKind::Void;
  if (required && singular) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a type that can be required, found \"{}\", whose only value "
                            "is null",
                            v1_name(type)));
  }
  if (required && type == TypeKind::Yson) {
    throw Error(ErrorCode::Input, "column of type \"any\" cannot be \"required\"", {},
                "use optional<yson>, or type=any without required=%true");
  }
  return required || singular ? Type(type) : optional(type);
}

bool is_pure_v1(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Optional: {
      const Type& item = type.item();
      return !is_nullable(item) && (item.is_simple() || item.is(TypeKind::Tagged)) &&
             is_pure_v1(item);
    }
    case TypeKind::Tagged:
      return is_pure_v1(type.item());
    case TypeKind::List:
    case TypeKind::Struct:
    case TypeKind::Tuple:
    case TypeKind::Variant:
    case TypeKind::Dict:
    case TypeKind::Decimal:
      return false;
    default:
      return true;
  }
}

PhysicalType physical_type(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Null:
    case TypeKind::Void:
      return PhysicalType::Null;
    case TypeKind::Int8:
    case TypeKind::Int16:
    case TypeKind::Int32:
    case TypeKind::Int64:
    case TypeKind::Interval:
    case TypeKind::Date32:
    case TypeKind::Datetime64:
    case TypeKind::Timestamp64:
    case TypeKind::Interval64:
      return PhysicalType::Int64;
    case TypeKind::Uint8:
    case TypeKind::Uint16:
    case TypeKind::Uint32:
    case TypeKind::Uint64:
    case TypeKind::Date:
    case TypeKind::Datetime:
    case TypeKind::Timestamp:
      return PhysicalType::Uint64;
    case TypeKind::Float:
    case TypeKind::Double:
      return PhysicalType::Double;
    case TypeKind::Bool:
      return PhysicalType::Boolean;
    case TypeKind::String:
    case TypeKind::Utf8:
    case TypeKind::Json:
    case TypeKind::Uuid:
    case TypeKind::TzDate:
    case TypeKind::TzDatetime:
    case TypeKind::TzTimestamp:
    case TypeKind::TzDate32:
    case TypeKind::TzDatetime64:
    case TypeKind::TzTimestamp64:
    case TypeKind::Decimal:
      return PhysicalType::String;
    case TypeKind::Yson:
      return PhysicalType::Any;
    case TypeKind::Optional:
      return is_nullable(type.item()) ? PhysicalType::Composite : physical_type(type.item());
    case TypeKind::Tagged:
      return physical_type(type.item());
    case TypeKind::List:
    case TypeKind::Struct:
    case TypeKind::Tuple:
    case TypeKind::Variant:
    case TypeKind::Dict:
      return PhysicalType::Composite;
  }
  return PhysicalType::Any;
}

std::string_view to_string(PhysicalType type) {
  switch (type) {
    case PhysicalType::Null:
      return "null";
    case PhysicalType::Int64:
      return "int64";
    case PhysicalType::Uint64:
      return "uint64";
    case PhysicalType::Double:
      return "double";
    case PhysicalType::Boolean:
      return "boolean";
    case PhysicalType::String:
      return "string";
    case PhysicalType::Any:
      return "any";
    case PhysicalType::Composite:
      return "composite";
  }
  return "";
}

const Type& without_tags(const Type& type) {
  const Type* bare = &type;
  while (bare->is(TypeKind::Tagged)) bare = &bare->item();
  return *bare;
}

bool is_nullable(const Type& type) {
  TypeKind kind = without_tags(type).kind();
  return kind == TypeKind::Optional || kind == TypeKind::Null || kind == TypeKind::Void;
}

int64_t complexity(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Optional:
      return type.item().is_simple() ? 1 : 1 + complexity(type.item());
    case TypeKind::List:
    case TypeKind::Tagged:
      return 1 + complexity(type.item());
    case TypeKind::Struct:
    case TypeKind::Tuple:
    case TypeKind::Variant:
    case TypeKind::Dict: {
      int64_t sum = 1 + static_cast<int64_t>(type.removed_members().size());
      for (const Member& member : type.members()) sum += complexity(member.type);
      return sum;
    }
    default:
      return 1;
  }
}

bool can_be_key_column(const Type& type) {
  return is_comparable(type) || (is_pure_v1(type) && to_v1(type).type == TypeKind::Yson);
}

std::string_view added_in(TypeKind kind) { return is_tz(kind) ? "25.3" : ""; }

}  // namespace xwalk::yt
