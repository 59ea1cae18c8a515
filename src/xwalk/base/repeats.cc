#include "xwalk/base/repeats.h"

#include "xwalk/base/first_places.h"

namespace xwalk {

std::vector<size_t> repeats_before(std::span<const std::string_view> names) {
  std::vector<size_t> before;
  if (names.size() < 2) return before;
  FirstPlaces places(names.size());
  // For a first occurrence, the number of equal names after it so far.
  std::vector<size_t> repeats;
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t first = places.add(names[i], i);
    if (first == i) continue;
    before.resize(names.size());
    repeats.resize(names.size());
    before[i] = ++repeats[first];
  }
  return before;
}

}  // namespace xwalk
