// How often a test of random values tries another one.

#pragma once

#include <algorithm>

namespace xwalk::test {

// Returns WHOLE, or a fifth of it where a sanitizer makes each round many times as long: the values
// differ by their seeds, so the first fifth of them is the same in both builds.
constexpr unsigned rounds(unsigned whole) {
#ifdef __SANITIZE_ADDRESS__
  return std::max(1U, whole / 5);
#else
  return whole;
#endif
}

}  // namespace xwalk::test
