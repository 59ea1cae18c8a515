#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/hub/box.h"
#include "xwalk/hub/type.h"
#include "xwalk/yt/type.h"

// How the values of a type nest, defined once from the type and its Arrow field alone, for all
// formats of rows. The codecs of YSON and Skiff are compiled from it.
namespace xwalk::yt {

/// Alternatives that an Arrow union can tell apart by its type codes, less one that is left free.
inline constexpr size_t kMaxUnionAlternatives = 127;

using hub::kBoxMember;

/// Returns true for a variant whose Arrow form is a union, and not a struct of its alternatives.
bool is_union_variant(const Type& type);

/// Returns true for an optional whose Arrow form is a box, a nullable struct<value: item>: its item
/// has its own null, or is a union, which has no nulls.
bool is_boxed(const Type& optional);

/// What a value is made of.
enum class Nesting : uint8_t {
  Scalar,   ///< no children; types with a time zone too
  List,     ///< the item
  Struct,   ///< the members
  Tuple,    ///< the elements
  Variant,  ///< the alternatives
  Dict,     ///< key and value, the members of the entries
  Box,      ///< the value
};

/// One value and its parts; one node for each Arrow field, but none for the entries of a dict.
struct Shape {
  Nesting nesting = Nesting::Scalar;
  /// The field's null is a value: the absent one of an optional, or that of null and void.
  bool nullable = false;
  /// Box: the value has its own `#`, so that YSON puts it in brackets.
  bool brackets = false;
  /// Variant: a union, and not a struct with one nullable member for each alternative, of which
  /// exactly one is set. An alternative that is absent itself, or is a union, is a box there.
  bool is_union = false;
  /// Dict: a list of structs of key and value, since a map's keys are never null.
  bool pairs = false;
  /// The type without tags, and without the optional that the field's nulls stand for. Box: the
  /// type of its value.
  Type type;
  /// Scalars: the kind of the Arrow value, and its bytes where their number is fixed, 0 for
  /// booleans. Types with a time zone: of the instant.
  hub::Kind arrow = hub::Kind::Null;
  int width = 0;
  std::vector<Shape> children;
};

/// Returns the shape of a type in its field, as `to_arrow` makes it; the types of scalars may be
/// others. Throws Error (Internal) for a field that nests otherwise.
Shape shape_of(const Type& type, const hub::Field& field);

/// Returns the field of an alternative's value in the Arrow form of a variant: `field` is the
/// variant's, with or without a box around the alternative.
const hub::Field& alternative_field(const Type& variant, const hub::Field& field, size_t index);

}  // namespace xwalk::yt
