#include "xwalk/hub/cast/rounded_division.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/base/each_processor.h"
#include "xwalk/base/int128.h"

namespace xwalk::hub::cast {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
/// The ratios between units of time, and between them and days.
constexpr int64_t kDivisors[] = {1'000,      1'000'000,      1'000'000'000,     86'400,
                                 86'400'000, 86'400'000'000, 86'400'000'000'000};

int64_t plainly_rounded(int64_t value, int64_t divisor) {
  Int128 quotient = value / divisor;
  Int128 rest = value % divisor;
  if (rest < 0) {
    rest += divisor;
    --quotient;
  }
  if (2 * rest > divisor || (2 * rest == divisor && quotient % 2 != 0)) ++quotient;
  return static_cast<int64_t>(quotient);
}

/// Values of every size, and those around halves, whole quotients and the ends of what doubles
/// hold.
std::vector<int64_t> values_around(int64_t divisor, int64_t most, std::mt19937_64& random) {
  std::vector<int64_t> values;
  const auto add = [&](Int128 value) {
    for (const Int128 near : {value - 1, value, value + 1}) {
      if (near >= -Int128{most} - 1 && near <= most) values.push_back(static_cast<int64_t>(near));
    }
  };
  for (int bits = 0; bits < 64; ++bits) {
    add(Int128{1} << bits);
    add(-(Int128{1} << bits));
  }
  for (int i = 0; i < 2000; ++i) {
    const auto any = static_cast<int64_t>(random()) >> (random() % 64);
    const Int128 whole = Int128{any} / divisor * divisor;
    for (const Int128 value : {Int128{any}, whole, whole + divisor / 2, whole - divisor / 2}) {
      add(value);
    }
  }
  return values;
}

template <typename From, typename To>
void expect_rounded(int64_t divisor, int64_t most, std::mt19937_64& random) {
  std::vector<From> values;
  for (const int64_t value : values_around(divisor, most, random)) {
    values.push_back(static_cast<From>(value));
  }
  const auto count = static_cast<int64_t>(values.size());
  const RoundedDivision division{divisor, kMin, kMax};
  for_each_processor([&] {
    std::vector<To> quotients(values.size());
    EXPECT_TRUE(divide_rounded(division, values.data(), count, quotients.data()));
    for (size_t i = 0; i < values.size(); ++i) {
      const auto wanted = static_cast<To>(plainly_rounded(values[i], divisor));
      ASSERT_EQ(quotients[i], wanted) << values[i] << " / " << divisor;
    }
  });
}

TEST(RoundedDivisionTest, RoundsHalfToEven) {
  std::mt19937_64 random(6);
  for (const int64_t divisor : kDivisors) {
    expect_rounded<int64_t, int64_t>(divisor, kMax, random);
    // All near, so that no block is divided a second time.
    expect_rounded<int64_t, int64_t>(divisor, (int64_t{1} << 51) - 1, random);
    expect_rounded<int32_t, int32_t>(divisor, std::numeric_limits<int32_t>::max(), random);
    expect_rounded<int32_t, int64_t>(divisor, std::numeric_limits<int32_t>::max(), random);
    expect_rounded<int64_t, int32_t>(divisor, int64_t{1000} << 31, random);
  }
}

TEST(RoundedDivisionTest, SaysWhetherAllFit) {
  // Beyond the first values that are looked at together, near ones and others.
  for (const size_t place : {size_t{0}, size_t{600}, size_t{1999}}) {
    for (const int64_t misfit : {int64_t{20'500'000}, int64_t{-10'500'001}, kMax, kMin}) {
      std::vector<int64_t> values(2000, 20'499'999);
      std::vector<int64_t> out(values.size());
      const auto count = static_cast<int64_t>(values.size());
      const RoundedDivision division{1'000'000, -10, 20};
      // Half to even: 20.5 is 20, so the value must be one larger.
      values[place] = misfit == 20'500'000 ? misfit + 1 : misfit;
      const auto fits = [&] { return divide_rounded(division, values.data(), count, out.data()); };
      for_each_processor([&] { EXPECT_FALSE(fits()) << misfit; });
      values[place] = -10'500'000;
      for_each_processor([&] { EXPECT_TRUE(fits()); });
    }
  }
}

}  // namespace
}  // namespace xwalk::hub::cast
