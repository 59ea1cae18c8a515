#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"
#include "xwalk/yt/shape.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Returns the part of a type that one Arrow field holds: tags, one optional and the type inside,
/// whose own items are "null" (a map's key: "string").
Type layer_of(const Type& type);

/// What a layer does not express about its Arrow field: a layout, an unknown extension.
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
