#include "xwalk/hub/annotation.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/hub.h"
#include "xwalk/yt/layer.h"
#include "xwalk/yt/ranges.h"

namespace xwalk::yt {
namespace {

hub::Type time_type(hub::TimeUnit unit) { return hub::timestamp(unit, "UTC"); }

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

/// Returns the field of a type without tags and optional, not null, without an annotation.
hub::Field bare_field(std::string name, const Type& type) {
  auto plain = [&](hub::Type arrow) {
    return hub::Field(std::move(name), std::move(arrow), false);
  };
  switch (type.kind()) {
    case TypeKind::Null:
    case TypeKind::Void:
      return {std::move(name), hub::Kind::Null, true};
    case TypeKind::Int8:
      return plain(hub::Kind::Int8);
    case TypeKind::Int16:
      return plain(hub::Kind::Int16);
    case TypeKind::Int32:
      return plain(hub::Kind::Int32);
    case TypeKind::Int64:
      return plain(hub::Kind::Int64);
    case TypeKind::Uint8:
      return plain(hub::Kind::Uint8);
    case TypeKind::Uint16:
      return plain(hub::Kind::Uint16);
    case TypeKind::Uint32:
      return plain(hub::Kind::Uint32);
    case TypeKind::Uint64:
      return plain(hub::Kind::Uint64);
    case TypeKind::Float:
      return plain(hub::Kind::Float);
    case TypeKind::Double:
      return plain(hub::Kind::Double);
    case TypeKind::Bool:
      return plain(hub::Kind::Bool);
    case TypeKind::String:
    case TypeKind::Yson:
      return plain(hub::Kind::Binary);
    case TypeKind::Utf8:
      return plain(hub::Kind::Utf8);
    case TypeKind::Json:
      return hub::with_extension(plain(hub::Kind::Utf8), "arrow.json");
    case TypeKind::Uuid:
      return hub::with_extension(plain(hub::fixed_size_binary(16)), "arrow.uuid");
    case TypeKind::Date:
    case TypeKind::Date32:
      return plain(hub::Kind::Date32);
    case TypeKind::Datetime:
    case TypeKind::Datetime64:
      return plain(time_type(hub::TimeUnit::Second));
    case TypeKind::Timestamp:
    case TypeKind::Timestamp64:
      return plain(time_type(hub::TimeUnit::Micro));
    case TypeKind::Interval:
    case TypeKind::Interval64:
      return plain(hub::duration(hub::TimeUnit::Micro));
    case TypeKind::TzDate:
    case TypeKind::TzDatetime:
    case TypeKind::TzTimestamp:
    case TypeKind::TzDate32:
    case TypeKind::TzDatetime64:
    case TypeKind::TzTimestamp64:
      return plain(hub::struct_(
          {to_arrow("time", tz_instant(type.kind())), hub::Field("zone", hub::Kind::Utf8, false)}));
    case TypeKind::Decimal:
      return plain(
          hub::decimal(type.precision() <= 38 ? 128 : 256, type.precision(), type.scale()));
    case TypeKind::List:
      return plain(hub::list(to_arrow("item", type.item())));
    case TypeKind::Struct:
    case TypeKind::Tuple:
      return plain(hub::struct_(member_fields(type)));
    case TypeKind::Variant:
      return plain(is_union_variant(type) ? hub::union_(member_fields(type))
                                          : hub::struct_(alternative_fields(type)));
    case TypeKind::Dict: {
      hub::Field key = to_arrow("key", type.key());
      hub::Field value = to_arrow("value", type.value());
      // Keys of an Arrow map are never null.
      if (!is_nullable(type.key())) return plain(hub::map(std::move(key), std::move(value)));
      return plain(
          hub::list(hub::Field("item", hub::struct_({std::move(key), std::move(value)}), false)));
    }
    case TypeKind::Optional:
    case TypeKind::Tagged:
      break;
  }
  return to_arrow(name, type);
}

/// Returns the field of a type without an annotation of its own layer.
hub::Field shape(std::string name, const Type& type) {
  if (type.is(TypeKind::Tagged)) return shape(std::move(name), type.item());
  if (!type.is(TypeKind::Optional)) return bare_field(std::move(name), type);
  if (is_boxed(type)) {
    return {std::move(name), hub::struct_({to_arrow(kBoxMember, type.item())}), true};
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
