#include "xwalk/base/reordered.h"

#include <algorithm>
#include <cstdint>

namespace xwalk {

std::vector<bool> reordered(const std::vector<size_t>& former_places) {
  const size_t count = former_places.size();
  std::vector<size_t> tails;
  std::vector<size_t> lengths(count);
  for (size_t i = 0; i < count; ++i) {
    const auto at = std::lower_bound(tails.begin(), tails.end(), former_places[i]);
    lengths[i] = static_cast<size_t>(at - tails.begin()) + 1;
    if (at == tails.end()) {
      tails.push_back(former_places[i]);
    } else {
      *at = former_places[i];
    }
  }
  std::vector<bool> moved(count, true);
  size_t wanted = tails.size();
  size_t below = SIZE_MAX;
  for (size_t i = count; i-- > 0 && wanted > 0;) {
    if (lengths[i] == wanted && former_places[i] < below) {
      moved[i] = false;
      below = former_places[i];
      --wanted;
    }
  }
  return moved;
}

}  // namespace xwalk
