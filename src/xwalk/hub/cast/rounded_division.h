#pragma once

#include <cstdint>

namespace xwalk::hub::cast {

/// A division of ticks that rounds half to even.
struct RoundedDivision {
  /// From 2 to 2^47: a day has less nanoseconds.
  int64_t divisor;
  /// The least and the greatest quotient that fits.
  int64_t least;
  int64_t greatest;
};

/// Writes the quotients of `count` integers of 32 or 64 bits as such. Returns true if all fit. The
/// output for one that does not is undefined.
template <typename From, typename To>
bool divide_rounded(const RoundedDivision& division, const From* values, int64_t count, To* out);

}  // namespace xwalk::hub::cast
