#include "xwalk/base/repeats.h"

#include <bit>
#include <functional>

namespace xwalk {

std::vector<size_t> repeats_before(std::span<const std::string_view> names) {
  std::vector<size_t> before;
  if (names.size() < 2) return before;
  // Half of the slots stay empty. Each holds the last place of a name, counted from 1.
  std::vector<size_t> slots(std::bit_ceil(2 * names.size()));
  const size_t mask = slots.size() - 1;
  for (size_t i = 0; i < names.size(); ++i) {
    size_t slot = std::hash<std::string_view>()(names[i]) & mask;
    while (slots[slot] != 0 && names[slots[slot] - 1] != names[i]) slot = (slot + 1) & mask;
    if (slots[slot] != 0) {
      before.resize(names.size());
      before[i] = before[slots[slot] - 1] + 1;
    }
    slots[slot] = i + 1;
  }
  return before;
}

}  // namespace xwalk
