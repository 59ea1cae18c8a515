#pragma once

#include <string>

#include "xwalk/hub/array.h"

namespace xwalk::hub::cast {

/// Appends bytes that are equal exactly for equal values of the same type: layout (large, view,
/// dictionary, run-end) makes no difference, all NaNs are one value, -0 and 0 differ. Maps count as
/// ordered lists of pairs.
void append_value_bytes(const Array& array, const Type& type, int64_t index, std::string& out);

}  // namespace xwalk::hub::cast
