#pragma once

#include <cstddef>

#include "xwalk/base/path.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

// Paths within values, as in the Arrow schema of the type (`to_arrow`). Types must have no tags
// around them.

/// Returns the path of the value in an optional: `path.value` if the optional is a box.
Path optional_value_path(const Type& optional, const Path& path);

/// Returns the path of the key or the value of a dict's entry: `{key}`, or `[index].key` where keys
/// may be null.
Path entry_path(const Type& dict, bool key, size_t index, const Path& path);

/// Returns the path of the value in an alternative: `<name>`, or `.name` if the variant is a
/// struct.
Path alternative_path(const Type& variant, size_t index, const Path& path);

}  // namespace xwalk::yt
