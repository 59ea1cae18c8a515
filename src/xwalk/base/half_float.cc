#include "xwalk/base/half_float.h"

#include <bit>
#include <cmath>

namespace xwalk {

float widened(Half half) {
  const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000) << 16;
  const uint32_t exponent = (half.bits >> 10) & 0x1f;
  const uint32_t mantissa = half.bits & 0x3ff;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | mantissa << 13);
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

Half narrowed(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7fffffff;
  auto half = [&](uint32_t low) { return Half{static_cast<uint16_t>(sign | low)}; };
  if (magnitude > 0x7f800000) return half(0x7e00);
  if (magnitude >= 0x47800000) return half(0x7c00);  // 65536 and above
  if (magnitude < 0x38800000) {                      // below 2^-14: subnormal
    return half(static_cast<uint32_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24F)));
  }
  const uint32_t kept = (magnitude - 0x38000000) >> 13;
  const uint32_t rest = magnitude & 0x1fff;
  const bool up = rest > 0x1000 || (rest == 0x1000 && (kept & 1) != 0);
  return half(kept + (up ? 1 : 0));
}

Half narrowed(double value) {
  // The last bit of the float remembers that bits were lost, so that the next rounding is right.
  auto single = static_cast<float>(value);
  if (static_cast<double>(single) != value && std::isfinite(single) &&
      (std::bit_cast<uint32_t>(single) & 1) == 0) {
    const bool away = std::fabs(static_cast<double>(single)) < std::fabs(value);
    single = std::bit_cast<float>(std::bit_cast<uint32_t>(single) + (away ? 1U : ~0U));
  }
  return narrowed(single);
}

}  // namespace xwalk
