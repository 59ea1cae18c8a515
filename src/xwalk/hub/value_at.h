#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "xwalk/base/wide_integer.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

// Values of every layout, one at a time, for printing and comparing. Each call dispatches on the
// type. Indices count from the array's own offset. The values must not be null.

/// Loads an integer, date, time, instant, duration or count of months; a uint64 as its bits.
int64_t integer_at(const Array& array, Kind kind, int64_t index);
/// Loads a half float, float or double.
double real_at(const Array& array, Kind kind, int64_t index);
/// Loads the unscaled value of a decimal of any width.
Int256 decimal_at(const Array& array, Kind kind, int64_t index);
/// Returns the bytes of a text or binary value, of a fixed size or not.
std::string_view bytes_at(const Array& array, const Type& type, int64_t index);

/// Returns the first item, in the child, of a list of any layout or a map, and how many there are.
std::pair<int64_t, int64_t> items_at(const Array& array, const Type& type, int64_t index);
/// Returns the child that a union's element is in, and the index there. Throws Error (Input) for a
/// type code that the type does not have.
std::pair<size_t, int64_t> alternative_at(const Array& array, const Type& type, int64_t index);
/// Returns the run of a run-end encoded array that an element is in. Throws Error (Input) if the
/// runs end before it.
int64_t run_at(const Array& array, const Type& type, int64_t index);

}  // namespace xwalk::hub
