#pragma once

#include <span>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Joins arrays of one type, which has no dictionaries, runs or views at any depth, into one with
/// offset 0 that holds no more than its elements. Throws Error (Unsupported) if the bytes or items
/// of a column exceed 32 bits.
Array concat(const Type& type, std::span<const Array> parts);

/// Returns the same elements at offset 0, at every level but below runs: many readers of the C
/// interface take other elements, or none, if an array is a part of a longer one. Values are
/// shared; bits, and offsets of lists whose first item is not the child's first, are copied.
Array from_start(const Type& type, Array array);
/// Gives rows to the C interface, each column from its start.
ArrayHandle export_rows(const Schema& schema, Array rows);

/// Returns the bytes that the elements of this array take, which may be only a part of its buffers.
int64_t bytes_of(const Type& type, const Array& array);

/// Returns about how many bytes elements [begin, end) of an array take once none of them is shared:
/// a value of a dictionary or a run counts for each element that has it, an item for each view that
/// shows it, a long name for each struct that has it, and a null as 4 bytes. The count is exact if
/// it is more than `most`, and ends soon after that. Below, it may be too large.
int64_t plain_bytes(const Type& type, const Array& array, int64_t begin, int64_t end, int64_t most);

}  // namespace xwalk::hub
