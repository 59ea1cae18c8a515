#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Alternatives that an Arrow union can tell apart by its type codes, less one that is left free.
inline constexpr size_t kMaxUnionAlternatives = 127;

/// Name of the only member of the struct that stands for one more level of absence.
inline constexpr std::string_view kBoxMember = "value";

/// Returns true for a variant whose Arrow form is a union, and not a struct of its alternatives.
bool is_union_variant(const Type& type);

/// Returns true for an optional whose Arrow form is a nullable struct<value: item>: its item has
/// a null of its own, or is a union, which has none.
bool is_boxed(const Type& optional);

/// Returns what one Arrow field says of a type: tags, one optional and the type inside, whose own
/// items are "null" (a map's key: "string").
Type layer_of(const Type& type);

/// What a layer does not say of its Arrow field: a layout, an unknown extension.
struct Unsaid {
  std::string_view rule;
  std::string lost;
};

struct PlainLayer {
  Type layer;
  std::vector<Unsaid> unsaid;
};

/// Returns the layer of an Arrow field by its Arrow type and canonical extension alone; nothing for
/// what YTsaurus has no type of. Not for dictionaries and run-end encodings, which `decoded_field`
/// removes.
std::optional<PlainLayer> plain_layer(const hub::Field& field);

/// Returns the field of the values, whatever encodes them.
hub::Field decoded_field(const hub::Field& field);

/// Returns the layer an annotation gives, if it still describes the field, with the field's own
/// nullability.
std::optional<Type> annotated_layer(const hub::Field& field, std::string_view annotation);

/// Returns the bare type of a layer: without its tags and its optional.
const Type& bare(const Type& layer);

}  // namespace xwalk::yt
