#pragma once

#include <span>

#include "xwalk/hub/array.h"

namespace xwalk::hub::cast {

/// Gathers elements by index, for any type; an index of -1 gives a null (a zero at levels without
/// validity). Layout stays.
Array take(const Array& array, const Type& type, std::span<const int64_t> indices);

}  // namespace xwalk::hub::cast
