#pragma once

#include <cstddef>
#include <cstdint>

#include "xwalk/hub/array.h"
#include "xwalk/hub/arrow_abi.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// An array by its parent: child `child` of the type `parent`. Errors make a path of it.
struct Level {
  const Level* above = nullptr;
  const Type* parent = nullptr;
  size_t child = 0;
};

/// Checks of one level of an array of the C interface, so that it can be read without further
/// checks. Each throws Error (Input) with the path.

/// Checks length, offset, and the number of buffers and children.
void expect_shape(const ArrowArray& source, const Type& type, const Level& place);
/// Checks that buffers exist, that children are long enough, and offsets, views, indices, type
/// codes and run ends. Needs aligned buffers.
void expect_contents(const ArrowArray& source, const Type& type, const Level& place);
/// Checks that the entries and keys of maps are never null: readers of Arrow end the process if
/// they are. Drops their validity bits, which may
/// be 0 only outside all maps.
void expect_keys(const Type& type, const Level& place, Array* map);

}  // namespace xwalk::hub
