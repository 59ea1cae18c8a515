#pragma once

#include <cstdint>
#include <span>

#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns a Binary array that has, for each row of some columns, bytes that are equal exactly for
/// equal values: nulls are equal, all nans are one, -0 and 0 are two. Numbers, times, text and
/// bytes are in the order of the bytes, nulls first. Types as for `append_value_bytes`.
Array key_bytes(std::span<const Field> fields, std::span<const Array* const> columns, int64_t rows);

}  // namespace xwalk::hub
