#pragma once

#include <cstddef>
#include <vector>

namespace xwalk {

/// Returns which items of a list have changed their order: given the former index of each item, all
/// are marked except a longest run that kept its order. O(n log n).
std::vector<bool> reordered(const std::vector<size_t>& former_places);

}  // namespace xwalk
