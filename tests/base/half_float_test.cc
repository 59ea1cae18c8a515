#include "xwalk/base/half_float.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

/// The value by its definition.
double value_of(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 0x400, exponent - 25);
  if (exponent == 0x1f) value = fraction == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000) != 0 ? -value : value;
}

TEST(HalfFloat, EveryHalfWidensAndComesBack) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const Half half{static_cast<uint16_t>(bits)};
    const float wide = widened(half);
    EXPECT_EQ(is_nan(half), std::isnan(wide)) << bits;
    if (is_nan(half)) {
      EXPECT_TRUE(is_nan(narrowed(wide))) << bits;
      continue;
    }
    EXPECT_EQ(static_cast<double>(wide), value_of(half.bits)) << bits;
    EXPECT_EQ(narrowed(wide), half) << bits;
  }
}

TEST(HalfFloat, NarrowsToTheNearestHalfToEven) {
  struct Case {
    float value;
    uint16_t bits;
  };
  for (const Case& c :
       {Case{1.0F, 0x3c00}, Case{65504.0F, 0x7bff}, Case{65519.0F, 0x7bff}, Case{65520.0F, 0x7c00},
        Case{-1e9F, 0xfc00}, Case{0x1p-25F, 0x0000}, Case{0x1.8p-24F, 0x0002},
        Case{1.0F + 0x1p-11F, 0x3c00}, Case{1.0F + 0x1.8p-10F, 0x3c02}, Case{-0.0F, 0x8000}}) {
    EXPECT_EQ(narrowed(c.value).bits, c.bits) << c.value;
  }
}

}  // namespace
}  // namespace xwalk
