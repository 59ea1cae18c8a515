#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// The parent that a top-level field names (specification, "Field ID Assignment").
inline constexpr int32_t kNoParent = -1;

/// One field of the flat list: no children, but the id of its parent.
struct FlatField {
  Field field;
  int32_t parent = kNoParent;

  friend bool operator==(const FlatField&, const FlatField&) = default;
};

/// A schema as the wire and the text of the specification have it, before its links are checked.
struct FlatSchema {
  std::vector<FlatField> fields;
  hub::Metadata metadata;

  friend bool operator==(const FlatSchema&, const FlatSchema&) = default;
};

/// Lists the fields depth-first.
FlatSchema flatten(const Schema& schema);

/// Puts children inside their parents, which must come earlier in the list. If several fields have
/// the same id, later fields refer to the last one. Throws Error (Input) with the field's name for
/// the first invalid link, or deeper nesting than limits::kSchemaDepth.
Schema nest(FlatSchema flat);

}  // namespace xwalk::lance
