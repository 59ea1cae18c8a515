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

/// Returns true if every row is at the index of its kind and describes its content.
constexpr bool rows_are_complete() {
  for (size_t i = 0; i < kKindRows.size(); ++i) {
    const KindRow& row = kKindRows[i];
    if (row.kind != static_cast<TypeKind>(i) || row.name.empty() || row.short_name.empty()) {
      return false;
    }
    if ((row.content == Content::Compound) != (row.composition != Composition::None)) return false;
    bool ranged = is_integral(row.kind) || row.content == Content::Zoned;
    if (ranged != (row.range.max != 0)) return false;
    if (is_unsigned(row.kind) && row.range.min != 0) return false;
    if ((row.content == Content::Zoned) != (row.instant != row.kind)) return false;
    if (kind_row(row.instant).range.max != row.range.max) return false;
    if (row.widens_to && kind_row(*row.widens_to).content == Content::Compound) return false;
  }
  return kKindRows.back().kind == TypeKind::Tagged;
}
static_assert(rows_are_complete());

constexpr bool names_are_unique() {
  for (const KindRow& a : kKindRows) {
    for (const KindRow& b : kKindRows) {
      if (&a == &b) continue;
      if (a.name == b.name || a.short_name == b.short_name || a.older_name == b.name) return false;
      if (!a.older_name.empty() && a.older_name == b.older_name) return false;
    }
  }
  return true;
}
static_assert(names_are_unique());

std::optional<TypeKind> find_kind(std::string_view KindRow::*form, std::string_view name) {
  const auto row = std::ranges::find(kKindRows, name, form);
  if (row == kKindRows.end()) return std::nullopt;
  return row->kind;
}

/// Yson is out of the question inside keys; only a whole column may be it.
bool is_comparable(const Type& type) {
  if (!kind_row(type.kind()).comparable || (type.is(TypeKind::Variant) && type.is_named())) {
    return false;
  }
  return std::ranges::all_of(type.members(), is_comparable, &Member::type);
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

std::string_view kind_name(TypeKind kind) { return kind_row(kind).name; }

std::optional<TypeKind> kind_of_name(std::string_view name) {
  return find_kind(&KindRow::name, name);
}

std::optional<TypeKind> simple_kind(std::string_view name) {
  std::optional<TypeKind> kind = kind_of_name(name);
  return kind && is_simple(*kind) ? kind : std::nullopt;
}

std::string_view v1_name(TypeKind kind) {
  const KindRow& row = kind_row(kind);
  return row.older_name.empty() ? row.name : row.older_name;
}

std::optional<TypeKind> kind_of_v1_name(std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (std::optional<TypeKind> kind = find_kind(&KindRow::older_name, name)) return kind;
  std::optional<TypeKind> kind = simple_kind(name);
  return kind && v1_name(*kind) == name ? kind : std::nullopt;
}

V1Type to_v1(const Type& type) {
  switch (type.composition()) {
    case Composition::None:
      if (type.is(TypeKind::Decimal)) return {TypeKind::String, true};
      return {type.kind(), !is_nullable(type)};
    case Composition::Optional:
      if (is_nullable(type.item())) return {TypeKind::Yson, false};
      return {to_v1(type.item()).type, false};
    case Composition::Tagged:
      return to_v1(type.item());
    case Composition::List:
    case Composition::Struct:
    case Composition::Tuple:
    case Composition::Variant:
    case Composition::Dict:
      break;
  }
  return {TypeKind::Yson, true};
}

Type from_v1(TypeKind type, bool required) {
  bool singular = kind_row(type).content == Content::Null;
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
  if (type.is(TypeKind::Tagged)) return is_pure_v1(type.item());
  if (!type.is(TypeKind::Optional)) return type.is_simple();
  const Type& item = type.item();
  return !is_nullable(item) && (item.is_simple() || item.is(TypeKind::Tagged)) && is_pure_v1(item);
}

PhysicalType physical_type(const Type& type) {
  bool transparent =
      type.is(TypeKind::Tagged) || (type.is(TypeKind::Optional) && !is_nullable(type.item()));
  return transparent ? physical_type(type.item()) : physical_type(type.content());
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
  const Type& bare = without_tags(type);
  return bare.is(TypeKind::Optional) || bare.content() == Content::Null;
}

std::string step_name(const Type& type, size_t index) {
  switch (type.composition()) {
    case Composition::None:
      break;
    case Composition::Optional:
    case Composition::List:
    case Composition::Tagged:
      return fmt::format("<{}-element>", kind_name(type.kind()));
    case Composition::Dict:
      return index == 0 ? "<key>" : "<value>";
    case Composition::Struct:
    case Composition::Tuple:
    case Composition::Variant:
      if (type.is_named()) return type.members()[index].name;
      return fmt::format("<{}-element-{}>", kind_name(type.kind()), index);
  }
  return {};
}

int64_t complexity(const Type& type) {
  if (type.is(TypeKind::Optional) && type.item().is_simple()) return 1;
  int64_t sum = 1 + static_cast<int64_t>(type.removed_members().size());
  for (const Member& member : type.members()) sum += complexity(member.type);
  return sum;
}

bool can_be_key_column(const Type& type) {
  return is_comparable(type) || (is_pure_v1(type) && to_v1(type).type == TypeKind::Yson);
}

}  // namespace xwalk::yt
