#include "xwalk/yt/layer.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/kinds.h"
#include "xwalk/yt/forms.h"
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
    if (const std::optional<hub::Geospatial> type = hub::geospatial_of(field_)) {
      out_.unsaid.push_back(
          {"crs.lost",
           fmt::format("stored as WKB bytes: the type {} is not preserved", hub::describe(*type))});
    } else if (!extension_known_ && !field_.extension_name().empty()) {
      out_.unsaid.push_back(
          {"extension.unknown", fmt::format("the extension {} is stored as its plain type",
                                            quoted(field_.extension_name()))});
    }
    return std::move(out_);
  }

 private:
  void flatten(hub::Kind plain) {
    if (type_.kind() == plain) return;
    out_.unsaid.push_back({"layout.flattened", fmt::format("the {} layout is not preserved",
                                                           hub::kind_name(type_.kind()))});
  }

  std::optional<Type> bare_layer() {
    switch (hub::kind_row(type_.kind()).form) {
      case hub::Form::Plain:
      case hub::Form::FixedSizeBinary:
      case hub::Form::Unit:
        return simple_layer();
      case hub::Form::Timestamp:
        if (!is_utc(type_.zone())) return std::nullopt;
        return simple_layer();
      case hub::Form::Decimal:
        if (type_.scale() < 0 || type_.scale() > type_.precision()) return std::nullopt;
        flatten(type_.precision() <= 38 ? hub::Kind::Decimal128 : hub::Kind::Decimal256);
        return decimal(type_.precision(), type_.scale());
      case hub::Form::List:
        flatten(hub::Kind::List);
        return list(TypeKind::Null);
      case hub::Form::Struct:
        return struct_(children_as_members());
      case hub::Form::Map:
        return dict(TypeKind::String, TypeKind::Null);
      case hub::Form::Union:
        return union_layer();
      case hub::Form::FixedSizeList:
      case hub::Form::Dictionary:
      case hub::Form::RunEndEncoded:
        break;
    }
    return std::nullopt;
  }

  /// Finds the simple type of the field: with its extension, or else without it.
  std::optional<Type> simple_layer() {
    std::string_view extension = field_.extension_name();
    if (extension == hub::kBool8Extension && type_.kind() == hub::Kind::Int8) return std::nullopt;
    ArrowForm form = {.kind = type_.kind()};
    if (hub::is_utf8(form.kind)) form.kind = hub::Kind::Utf8;
    if (hub::is_binary(form.kind)) form.kind = hub::Kind::Binary;
    if (form.kind == hub::Kind::Timestamp || form.kind == hub::Kind::Duration) {
      form.unit = type_.unit();
    }
    if (form.kind == hub::Kind::FixedSizeBinary) form.size = type_.size();
    form.extension = extension;
    std::optional<TypeKind> kind = simple_kind(form);
    extension_known_ = kind.has_value();
    if (!kind) {
      form.extension = {};
      kind = simple_kind(form);
    }
    if (!kind) return std::nullopt;
    flatten(form.kind);
    return *kind;
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
      out_.unsaid.push_back({"layout.flattened", "the union's type codes are not preserved"});
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

Type layer_of(const Type& type) {
  auto hollow = [&] {
    std::vector<Member> members;
    for (const Member& member : type.members()) {
      members.emplace_back(member.name, TypeKind::Null, member.stable_name);
    }
    return members;
  };
  auto elements = [&] { return std::vector<Type>(type.members().size(), TypeKind::Null); };
  switch (type.composition()) {
    case Composition::None:
      return type;
    case Composition::Tagged:
      return tagged(type.tag(), layer_of(type.item()));
    case Composition::Optional:
      return optional(is_boxed(type) ? Type(TypeKind::Null) : layer_of(type.item()));
    case Composition::List:
      return list(TypeKind::Null);
    case Composition::Dict:
      return dict(is_nullable(type.key()) ? TypeKind::Null : TypeKind::String, TypeKind::Null);
    case Composition::Struct:
      return struct_(hollow(), {type.removed_members().begin(), type.removed_members().end()});
    case Composition::Tuple:
      return tuple(elements());
    case Composition::Variant:
      return type.is_named() ? variant(hollow()) : variant_of(elements());
  }
  return type;
}

const Type& bare(const Type& layer) {
  const Type* type = &layer;
  while (type->is(TypeKind::Tagged) || (type->is(TypeKind::Optional) && !is_boxed(*type))) {
    type = &type->item();
  }
  return *type;
}

std::optional<PlainLayer> plain_layer(const hub::Field& field) { return PlainMapper(field).map(); }

namespace {

/// Returns the field of an optional variant: nulls of indices are beside a union, which has none.
hub::Field boxed(hub::Field field) {
  field.type =
      hub::box(hub::Field(std::string(hub::kBoxMember), field.type, false, field.metadata));
  hub::annotate(field, kSystem, print_type_yson(optional(TypeKind::Null)));
  return field;
}

}  // namespace

hub::Field decoded_field(const hub::Field& field) {
  hub::Field out = field;
  while (true) {
    if (out.type.kind() == hub::Kind::Dictionary) {
      const bool null_union = out.nullable && hub::is_union(out.type.child().type.kind());
      out.type = hub::Type(out.type.child().type);
      if (null_union) return boxed(std::move(out));
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
