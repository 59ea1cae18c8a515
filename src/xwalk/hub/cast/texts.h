#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel that rejects texts and bytes, of any layout, that the rule does not accept. The rule
/// outlives the kernel.
KernelPtr content_kernel(Type type, const ContentRule& rule, Path path);

}  // namespace xwalk::hub::cast
