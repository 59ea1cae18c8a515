#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel that rejects nulls, and gives back what it is given.
KernelPtr require_kernel(Path path);

/// A kernel that rejects nulls wherever the field, or one of those below it, has none; no kernel
/// where all are nullable. Does not look into dictionaries, run-ends and unions.
KernelPtr required_kernel(const Field& field, const Path& path);

}  // namespace xwalk::hub::cast
