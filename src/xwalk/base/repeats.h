#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace xwalk {

/// Returns how many equal names come before each; empty if all names differ.
std::vector<size_t> repeats_before(std::span<const std::string_view> names);

}  // namespace xwalk
