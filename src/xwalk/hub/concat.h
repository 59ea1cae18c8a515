#pragma once

#include <span>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Joins arrays of one type, which has no dictionaries, runs or views at any depth, into one with
/// offset 0 that holds no more than its elements. Throws Error (Unsupported) if the bytes or items
/// of a column exceed 32 bits.
Array concat(const Type& type, std::span<const Array> parts);

/// Returns the bytes that the elements of this array take, which may be only a part of its buffers.
int64_t bytes_of(const Type& type, const Array& array);

}  // namespace xwalk::hub
