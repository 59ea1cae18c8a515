#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel that refuses values which are none of the field's type, and gives back what it is
/// given: text that is not UTF-8, times beyond a day, parts of days, decimals of more digits. Such
/// values of dictionaries, runs and alternatives that no row shows are left out. No
/// kernel where every value of the layout is one of the type.
KernelPtr checks_kernel(const Field& field, const Path& path);

}  // namespace xwalk::hub::cast
