#include "xwalk/yt/layer.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {
namespace {

/// Maps one layer, and collects what it does not say.
class PlainMapper {
 public:
  explicit PlainMapper(const hub::Field& field) : field_(field), type_(field.type) {}

  std::optional<PlainLayer> map() {
    std::optional<Type> layer = bare_layer();
    if (!layer) return std::nullopt;
    out_.layer = *std::move(layer);
    bool has_null = is_nullable(out_.layer) || out_.layer.is(TypeKind::Variant);
    if (field_.nullable && !has_null) out_.layer = optional(out_.layer);
    if (!extension_known_ && !field_.extension_name().empty()) {
      out_.unsaid.push_back(
          {"extension.unknown", fmt::format("the extension {}", quoted(field_.extension_name()))});
    }
    return std::move(out_);
  }

 private:
  void flatten(hub::Kind plain) {
    if (type_.kind() == plain) return;
    out_.unsaid.push_back(
        {"layout.flattened", fmt::format("the layout {}", hub::kind_name(type_.kind()))});
  }

  std::optional<Type> bare_layer() {
    switch (type_.kind()) {
      case hub::Kind::Null:
        return TypeKind::Null;
      case hub::Kind::Bool:
        return TypeKind::Bool;
      case hub::Kind::Int8:
        if (field_.extension_name() == "arrow.bool8") return std::nullopt;
        return TypeKind::Int8;
      case hub::Kind::Int16:
        return TypeKind::Int16;
      case hub::Kind::Int32:
        return TypeKind::Int32;
      case hub::Kind::Int64:
        return TypeKind::Int64;
      case hub::Kind::Uint8:
        return TypeKind::Uint8;
      case hub::Kind::Uint16:
        return TypeKind::Uint16;
      case hub::Kind::Uint32:
        return TypeKind::Uint32;
      case hub::Kind::Uint64:
        return TypeKind::Uint64;
      case hub::Kind::Float:
        return TypeKind::Float;
      case hub::Kind::Double:
        return TypeKind::Double;
      case hub::Kind::Utf8:
      case hub::Kind::LargeUtf8:
      case hub::Kind::Utf8View:
        flatten(hub::Kind::Utf8);
        extension_known_ = field_.extension_name() == "arrow.json";
        return extension_known_ ? TypeKind::Json : TypeKind::Utf8;
      case hub::Kind::Binary:
      case hub::Kind::LargeBinary:
      case hub::Kind::BinaryView:
        flatten(hub::Kind::Binary);
        return TypeKind::String;
      case hub::Kind::FixedSizeBinary:
        extension_known_ = field_.extension_name() == "arrow.uuid" && type_.size() == 16;
        if (!extension_known_) return std::nullopt;
        return TypeKind::Uuid;
      case hub::Kind::Date32:
        return TypeKind::Date32;
      case hub::Kind::Timestamp:
        if (!is_utc(type_.zone())) return std::nullopt;
        if (type_.unit() == hub::TimeUnit::Second) return TypeKind::Datetime64;
        if (type_.unit() == hub::TimeUnit::Micro) return TypeKind::Timestamp64;
        return std::nullopt;
      case hub::Kind::Duration:
        if (type_.unit() != hub::TimeUnit::Micro) return std::nullopt;
        return TypeKind::Interval64;
      case hub::Kind::Decimal32:
      case hub::Kind::Decimal64:
      case hub::Kind::Decimal128:
      case hub::Kind::Decimal256:
        if (type_.scale() < 0 || type_.scale() > type_.precision()) return std::nullopt;
        flatten(type_.precision() <= 38 ? hub::Kind::Decimal128 : hub::Kind::Decimal256);
        return decimal(type_.precision(), type_.scale());
      case hub::Kind::List:
      case hub::Kind::LargeList:
      case hub::Kind::ListView:
      case hub::Kind::LargeListView:
        flatten(hub::Kind::List);
        return list(TypeKind::Null);
      case hub::Kind::Struct:
        return struct_(children_as_members());
      case hub::Kind::Map:
        return dict(TypeKind::String, TypeKind::Null);
      case hub::Kind::DenseUnion:
      case hub::Kind::SparseUnion:
        return union_layer();
      case hub::Kind::HalfFloat:
      case hub::Kind::Date64:
      case hub::Kind::Time32:
      case hub::Kind::Time64:
      case hub::Kind::IntervalMonths:
      case hub::Kind::IntervalDayTime:
      case hub::Kind::IntervalMonthDayNano:
      case hub::Kind::FixedSizeList:
      case hub::Kind::Dictionary:
      case hub::Kind::RunEndEncoded:
        return std::nullopt;
    }
    return std::nullopt;
  }

  std::vector<Member> children_as_members() const {
    std::vector<Member> members;
    for (const hub::Field& child : type_.children())
      members.emplace_back(child.name, TypeKind::Null);
    return members;
  }

  Type union_layer() {
    flatten(hub::Kind::DenseUnion);
    for (size_t i = 0; i < type_.type_codes().size(); ++i) {
      if (type_.type_codes()[i] == static_cast<int8_t>(i)) continue;
      out_.unsaid.push_back({"layout.flattened", "the type codes of the union"});
      break;
    }
    std::vector<Member> members = children_as_members();
    bool counted = true;
    for (size_t i = 0; i < members.size(); ++i) counted &= members[i].name == std::to_string(i);
    if (counted) return variant_of(std::vector<Type>(members.size(), TypeKind::Null));
    return variant(std::move(members));
  }

  const hub::Field& field_;
  const hub::Type& type_;
  PlainLayer out_;
  bool extension_known_ = false;
};

/// Returns true if the whole of a type that one layer spans over several Arrow fields is there.
bool inner_fields_fit(const hub::Type& actual, const Type& layer, const hub::Type& promised) {
  if (is_tz(layer.kind())) {
    for (size_t i = 0; i < promised.children().size(); ++i) {
      if (!hub::annotation_fits(actual.child(i).type, promised.child(i).type)) return false;
    }
  }
  if (layer.is(TypeKind::Dict) && hub::is_list(actual.kind())) {
    return hub::annotation_fits(actual.child().type, promised.child().type);
  }
  return true;
}

/// Gives a layer the nullability of its field.
Type with_nullability(const Type& layer, bool nullable) {
  if (layer.is(TypeKind::Tagged)) {
    return tagged(layer.tag(), with_nullability(layer.item(), nullable));
  }
  if (layer.is(TypeKind::Optional)) {
    // A box stands for itself; yson has no other form; below a tag may be the null itself.
    bool keep = nullable || is_boxed(layer) || without_tags(layer.item()).is(TypeKind::Yson);
    return keep ? layer : layer.item();
  }
  if (layer.is(TypeKind::Yson)) return optional(layer);
  bool has_null = is_nullable(layer) || is_union_variant(layer);
  return nullable && !has_null ? optional(layer) : layer;
}

}  // namespace

bool is_utc(std::string_view zone) {
  for (std::string_view name : {"UTC", "+00:00", "Etc/UTC", "Z", "Zulu", "Etc/Zulu", "UCT",
                                "Etc/UCT", "Universal", "Etc/Universal"}) {
    if (zone == name) return true;
  }
  return false;
}

Type layer_of(const Type& type) {
  auto hollow = [&] {
    std::vector<Member> members;
    for (const Member& member : type.members()) {
      members.emplace_back(member.name, TypeKind::Null, member.stable_name);
    }
    return members;
  };
  auto elements = [&] { return std::vector<Type>(type.members().size(), TypeKind::Null); };
  switch (type.kind()) {
    case TypeKind::Tagged:
      return tagged(type.tag(), layer_of(type.item()));
    case TypeKind::Optional:
      return optional(is_boxed(type) ? Type(TypeKind::Null) : layer_of(type.item()));
    case TypeKind::List:
      return list(TypeKind::Null);
    case TypeKind::Dict:
      return dict(is_nullable(type.key()) ? TypeKind::Null : TypeKind::String, TypeKind::Null);
    case TypeKind::Struct:
      return struct_(hollow(), {type.removed_members().begin(), type.removed_members().end()});
    case TypeKind::Tuple:
      return tuple(elements());
    case TypeKind::Variant:
      return type.is_named() ? variant(hollow()) : variant_of(elements());
    default:
      return type;
  }
}

const Type& bare(const Type& layer) {
  const Type* type = &layer;
  while (type->is(TypeKind::Tagged) || (type->is(TypeKind::Optional) && !is_boxed(*type))) {
    type = &type->item();
  }
  return *type;
}

std::optional<PlainLayer> plain_layer(const hub::Field& field) { return PlainMapper(field).map(); }

hub::Field decoded_field(const hub::Field& field) {
  hub::Field out = field;
  while (true) {
    if (out.type.kind() == hub::Kind::Dictionary) {
      out.type = hub::Type(out.type.child().type);
    } else if (out.type.kind() == hub::Kind::RunEndEncoded) {
      hub::Field values = out.type.child(1);
      out.nullable = out.nullable || values.nullable;
      for (const auto& [key, value] : values.metadata) {
        if (!out.metadata.find(key)) out.metadata.append(key, value);
      }
      out.type = values.type;
    } else {
      return out;
    }
  }
}

std::optional<Type> annotated_layer(const hub::Field& field, std::string_view annotation) {
  try {
    Type layer = parse_type(annotation);
    hub::Field promised = to_arrow(field.name, layer);
    if (!hub::annotation_fits(field.type, promised.type)) return std::nullopt;
    if (!inner_fields_fit(field.type, bare(layer), promised.type)) return std::nullopt;
    return with_nullability(layer, field.nullable);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace xwalk::yt
