#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel from one list layout (Map counts as List) to another, whose items pass through `items`.
/// `path` is the list's.
KernelPtr list_kernel(const Type& from, const Type& to, KernelPtr items, const Path& path);

/// A kernel that runs another on the items of lists or maps with 32-bit offsets. Null if `items` is
/// null.
KernelPtr items_kernel(KernelPtr items);

}  // namespace xwalk::hub::cast
