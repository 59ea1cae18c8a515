#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Puts values of a dictionary, of this type, in place of their indices. Throws Error (Input) for
/// an index outside the dictionary.
Array decode_dictionary(const Array& in, Kind index, const Type& type);

}  // namespace xwalk::hub::cast
