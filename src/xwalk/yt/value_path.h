#pragma once

#include <cstddef>

#include "xwalk/base/path.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

// Paths within values, as the Arrow schema of the type has them (`to_arrow`). Types are bare: no
// tag stands around them.

/// Returns the path of the value in an optional: `path.value` where the optional is a box.
Path optional_value_path(const Type& optional, const Path& path);

/// Returns the path of the key or the value of a dict's entry: `{key}`, or `[index].key` where keys
/// may be null.
Path entry_path(const Type& dict, bool key, size_t index, const Path& path);

/// Returns the path of the value in an alternative: `<name>`, or `.name` where the variant is a
/// struct.
Path alternative_path(const Type& variant, size_t index, const Path& path);

}  // namespace xwalk::yt
