#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/layer.h"

namespace xwalk::yt {
namespace {

hub::Type arrow_type(const ArrowForm& form) {
  if (form.kind == hub::Kind::Timestamp) return hub::timestamp(form.unit, "UTC");
  if (form.kind == hub::Kind::Duration) return hub::duration(form.unit);
  if (form.kind == hub::Kind::FixedSizeBinary) return hub::fixed_size_binary(form.size);
  return form.kind;
}

std::vector<hub::Field> member_fields(const Type& type) {
  std::vector<hub::Field> fields;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Member& member = type.members()[i];
    fields.push_back(to_arrow(type.is_named() ? member.name : std::to_string(i), member.type));
  }
  return fields;
}

/// A struct with one nullable field an alternative; a nullable alternative is boxed by its
/// optional.
std::vector<hub::Field> alternative_fields(const Type& type) {
  std::vector<hub::Field> fields;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Member& member = type.members()[i];
    fields.push_back(
        to_arrow(type.is_named() ? member.name : std::to_string(i), optional(member.type)));
  }
  return fields;
}

/// Returns the field of a simple type or a decimal.
hub::Field leaf_field(std::string name, const Type& type) {
  const KindRow& row = kind_row(type.kind());
  if (row.content == Content::Decimal) {
    int bits = type.precision() <= 38 ? 128 : 256;
    return {std::move(name), hub::decimal(bits, type.precision(), type.scale()), false};
  }
  if (row.content == Content::Zoned) {
    hub::Field zone("zone", hub::Kind::Utf8, false);
    return {std::move(name), hub::struct_({to_arrow("time", row.instant), std::move(zone)}), false};
  }
  hub::Field field(std::move(name), arrow_type(row.arrow), row.content == Content::Null);
  if (row.arrow.extension.empty()) return field;
  return hub::with_extension(std::move(field), row.arrow.extension);
}

/// Returns the field of a type without tags and optional, not null, without an annotation.
hub::Field bare_field(std::string name, const Type& type) {
  auto plain = [&](hub::Type arrow) {
    return hub::Field(std::move(name), std::move(arrow), false);
  };
  switch (type.composition()) {
    case Composition::None:
      return leaf_field(std::move(name), type);
    case Composition::List:
      return plain(hub::list(to_arrow("item", type.item())));
    case Composition::Struct:
    case Composition::Tuple:
      return plain(hub::struct_(member_fields(type)));
    case Composition::Variant:
      return plain(is_union_variant(type) ? hub::union_(member_fields(type))
                                          : hub::struct_(alternative_fields(type)));
    case Composition::Dict: {
      hub::Field key = to_arrow("key", type.key());
      hub::Field value = to_arrow("value", type.value());
      // Keys of an Arrow map are never null.
      if (!is_nullable(type.key())) return plain(hub::map(std::move(key), std::move(value)));
      return plain(
          hub::list(hub::Field("item", hub::struct_({std::move(key), std::move(value)}), false)));
    }
    case Composition::Optional:
    case Composition::Tagged:
      break;
  }
  return to_arrow(name, type);
}

/// Returns the field of a type without an annotation of its own layer.
hub::Field shape(std::string name, const Type& type) {
  if (type.is(TypeKind::Tagged)) return shape(std::move(name), type.item());
  if (!type.is(TypeKind::Optional)) return bare_field(std::move(name), type);
  if (is_boxed(type)) {
    return {std::move(name), hub::box(to_arrow(kBoxMember, type.item())), true};
  }
  hub::Field field = shape(std::move(name), type.item());
  field.nullable = true;
  return field;
}

}  // namespace

hub::Field to_arrow(std::string_view name, const Type& type) {
  hub::Field field = shape(std::string(name), type);
  Type layer = layer_of(type);
  const std::optional<PlainLayer> plain = plain_layer(field);
  if (!plain || !(plain->layer == layer)) {
    hub::annotate(field, kSystem, print_type_yson(layer));
  }
  return field;
}

hub::Schema to_arrow(const TableSchema& schema) {
  hub::Schema out;
  for (const ColumnSchema& column : schema.columns) {
    hub::Field field = to_arrow(column.name, column.type);
    yson::Node attributes = column_attributes_node(column);
    if (!attributes.as_map().empty()) {
      field.metadata.set(kColumnAnnotation, yson::print(attributes));
    }
    out.fields.push_back(std::move(field));
  }
  if (!schema.strict) {
    out.fields.push_back(to_arrow(kOtherColumns, optional(TypeKind::Yson)));
  }
  yson::Node attributes = attributes_node(schema);
  if (!(attributes == attributes_node(TableSchema()))) {
    hub::annotate(out, kSystem, yson::print(attributes));
  }
  return out;
}

}  // namespace xwalk::yt
