#pragma once

#include <functional>

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Told of a map with repeated keys: its index, which pair is the first to repeat a key, and how
/// many do.
using RepeatedKeys =
    std::function<void(const Scope& scope, int64_t map, int32_t first, int32_t repeated)>;

/// A kernel that finds the repeated keys of maps, or of lists of pairs, with 32-bit offsets, and
/// where asked keeps the last pair of each key, in the place of the first. Keys are equal as
/// `append_value_bytes` has it.
KernelPtr unique_keys_kernel(Type key, Type pair, bool keep_last, RepeatedKeys met);

}  // namespace xwalk::hub::cast
