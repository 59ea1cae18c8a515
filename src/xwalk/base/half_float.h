#pragma once

#include <cstdint>

namespace xwalk {

/// A float of 16 bits (IEEE 754 binary16), as its bits.
struct Half {
  uint16_t bits = 0;
  /// Compares bits: 0 and -0 differ, a NaN equals itself.
  friend bool operator==(const Half&, const Half&) = default;
};

/// Returns the same value in 32 bits.
float widened(Half half);
/// Return the nearest half, half to even; infinity beyond the largest.
Half narrowed(float value);
Half narrowed(double value);

inline bool is_nan(Half half) { return (half.bits & 0x7fff) > 0x7c00; }

}  // namespace xwalk
