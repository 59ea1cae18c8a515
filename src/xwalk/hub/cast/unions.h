#pragma once

#include <functional>

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Returns a kernel that runs the kernel of each alternative, from `kernel_of`, on the values that
/// rows show, to reject values. Null if no alternative has one. Returns its input; if a value was
/// rejected, without the values that no row shows.
KernelPtr alternatives_kernel(const Type& type, const Path& path,
                              const std::function<KernelPtr(const Field&, const Path&)>& kernel_of);

}  // namespace xwalk::hub::cast
