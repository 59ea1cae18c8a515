#pragma once

#include <functional>

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Called for each map with repeated keys: its index, the first pair that repeats a key, and the
/// number of repeats.
using RepeatedKeys =
    std::function<void(const Scope& scope, int64_t map, int32_t first, int32_t repeated)>;

/// A kernel that finds the repeated keys of maps, or of lists of pairs, with 32-bit offsets, and,
/// with `keep_last`, keeps the last pair of each key at the position of the first. Keys are
/// compared as `append_value_bytes` writes them.
KernelPtr unique_keys_kernel(Type key, Type pair, bool keep_last, RepeatedKeys met);

}  // namespace xwalk::hub::cast
