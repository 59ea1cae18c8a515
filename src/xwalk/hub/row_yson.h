#pragma once

#include <cstdint>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"
#include "xwalk/yson/writer.h"

namespace xwalk::hub {

/// Appends one value as YSON text, for people and for files of rejected rows: every type of Arrow
/// has a form, no value is rejected, and none is read back. Integers, times and durations are
/// numbers in their own unit, decimals text, calendar intervals lists of their parts, structs maps,
/// maps lists of pairs, unions a pair of name and value. `index` counts within the array.
void append_yson(const Array& array, const Type& type, int64_t index, yson::Buffer* out);

}  // namespace xwalk::hub
