#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Replaces indices with the dictionary's values, which have this type. Throws Error (Input) for an
/// index outside the dictionary.
Array decode_dictionary(const Array& in, Kind index, const Type& type);

/// Repeats the values of runs, of this type. Throws Error (Input) for runs that end too early.
Array decode_runs(const Array& in, Kind end, const Type& type);

}  // namespace xwalk::hub::cast
