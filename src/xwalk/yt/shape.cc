#include "xwalk/yt/shape.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/box.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

void expect(bool fits, const Type& type, const hub::Field& field) {
  if (fits) return;
  throw Error(ErrorCode::Internal, fmt::format("expected the Arrow type of {}, found {}",
                                               print_short(type), hub::to_string(field.type)));
}

Shape box_of(const Type& value, const hub::Field& field) {
  expect(hub::is_box(field.type), value, field);
  Shape shape;
  shape.nesting = Nesting::Box;
  shape.type = value;
  shape.children.push_back(shape_of(value, field.type.child()));
  return shape;
}

/// Fills in the children of a struct, tuple or variant.
void add_members(const Type& type, const hub::Field& field, Shape* shape) {
  bool is_struct = field.type.kind() == hub::Kind::Struct;
  expect(field.type.children().size() == type.members().size(), type, field);
  expect(is_struct || (shape->is_union && field.type.kind() == hub::Kind::DenseUnion), type, field);
  bool wide = shape->nesting == Nesting::Variant && !shape->is_union;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Type& member = type.members()[i].type;
    const hub::Field& child = field.type.child(i);
    // A null of the member says that another alternative is set.
    bool boxed = wide && is_boxed(optional(member));
    shape->children.push_back(boxed ? box_of(member, child) : shape_of(member, child));
  }
}

/// Returns the shape of a type without tags and optional.
Shape bare_shape(const Type& type, const hub::Field& field) {
  Shape shape;
  shape.type = type;
  if (type.is(TypeKind::List)) {
    shape.nesting = Nesting::List;
    expect(field.type.kind() == hub::Kind::List, type, field);
    shape.children.push_back(shape_of(type.item(), field.type.child()));
    return shape;
  }
  if (type.is(TypeKind::Dict)) {
    shape.nesting = Nesting::Dict;
    bool is_map = field.type.kind() == hub::Kind::Map;
    expect(is_map || field.type.kind() == hub::Kind::List, type, field);
    const hub::Type& entries = field.type.child().type;
    expect(entries.kind() == hub::Kind::Struct && entries.children().size() == 2, type, field);
    shape.pairs = !is_map;
    shape.children.push_back(shape_of(type.key(), entries.child(0)));
    shape.children.push_back(shape_of(type.value(), entries.child(1)));
    return shape;
  }
  if (type.is(TypeKind::Struct) || type.is(TypeKind::Tuple) || type.is(TypeKind::Variant)) {
    shape.nesting = type.is(TypeKind::Struct)  ? Nesting::Struct
                    : type.is(TypeKind::Tuple) ? Nesting::Tuple
                                               : Nesting::Variant;
    shape.is_union = is_union_variant(type);
    add_members(type, field, &shape);
    return shape;
  }
  shape.nullable = is_nullable(type);
  bool zoned = is_tz(type.kind());
  expect(!zoned || (field.type.kind() == hub::Kind::Struct && field.type.children().size() == 2),
         type, field);
  const hub::Type& value = zoned ? field.type.child().type : field.type;
  shape.arrow = value.kind();
  shape.width = hub::fixed_bits(value).value_or(0) / 8;
  return shape;
}

}  // namespace

bool is_union_variant(const Type& type) {
  return type.is(TypeKind::Variant) && type.members().size() <= kMaxUnionAlternatives;
}

bool is_boxed(const Type& optional) {
  return is_nullable(optional.item()) || is_union_variant(without_tags(optional.item()));
}

Shape shape_of(const Type& given, const hub::Field& field) {
  const Type& type = without_tags(given);
  if (!type.is(TypeKind::Optional)) return bare_shape(type, field);
  bool boxed = is_boxed(type);
  Shape shape = boxed ? box_of(type.item(), field) : bare_shape(without_tags(type.item()), field);
  shape.brackets = is_nullable(type.item());
  shape.nullable = true;
  return shape;
}

const hub::Field& alternative_field(const Type& variant, const hub::Field& field, size_t index) {
  const hub::Field& child = field.type.child(index);
  bool wide = !is_union_variant(variant) && field.type.kind() == hub::Kind::Struct;
  bool boxed = wide && is_boxed(optional(variant.members()[index].type));
  return boxed && hub::is_box(child.type) ? child.type.child() : child;
}

}  // namespace xwalk::yt
