#pragma once

#include <functional>

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Returns a kernel that runs what `kernel_of` makes of each alternative on the values that rows
/// show, for what it refuses; null where no alternative has one. It gives back what it is given,
/// and where a value was refused, only the values that rows show.
KernelPtr alternatives_kernel(const Type& type, const Path& path,
                              const std::function<KernelPtr(const Field&, const Path&)>& kernel_of);

}  // namespace xwalk::hub::cast
