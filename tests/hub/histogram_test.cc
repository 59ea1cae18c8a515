#include "xwalk/hub/histogram.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace xwalk::hub {
namespace {

Histogram counted(const std::vector<double>& values, bool is_whole) {
  Histogram out(is_whole);
  for (const double value : values) {
    out.extend(value, value);
    out.add(value);
  }
  return out;
}

TEST(Histogram, SmallNumbersHaveARangeEach) {
  const Histogram::Bars bars = counted({3, 1, 3, 2}, true).bars();
  EXPECT_EQ(bars.least, 1);
  EXPECT_EQ(bars.width, 1);
  EXPECT_EQ(bars.counts, (std::vector<uint64_t>{1, 1, 2}));
  EXPECT_TRUE(Histogram().bars().counts.empty());
}

/// The ranges hold all values, in their places, in whatever order and parts they are met.
TEST(Histogram, PartsAreTheWhole) {
  std::mt19937_64 random(7);
  for (const double size : {1e-300, 1e-3, 1.0, 1e9, 1e300}) {
    std::vector<double> values;
    for (int i = 0; i < 1000; ++i) {
      values.push_back(size * (std::uniform_real_distribution<double>(-1, 3)(random)));
    }
    const std::vector<double> first(values.begin(), values.begin() + 300);
    const std::vector<double> second(values.begin() + 300, values.end());
    const Histogram::Bars whole = counted(values, false).bars();
    Histogram parts = counted(second, false);
    parts.merge(counted(first, false));
    EXPECT_EQ(parts.bars().counts, whole.counts) << size;
    EXPECT_LE(whole.counts.size(), 16U);
    EXPECT_GE(whole.counts.size(), 8U);
    EXPECT_EQ(std::accumulate(whole.counts.begin(), whole.counts.end(), uint64_t{0}), 1000U);
    for (size_t i = 0; i < whole.counts.size(); ++i) {
      const double begin = whole.least + whole.width * static_cast<double>(i);
      uint64_t within = 0;
      for (const double value : values) {
        within += value >= begin && value < begin + whole.width ? 1 : 0;
      }
      EXPECT_EQ(whole.counts[i], within) << size << " " << i;
    }
  }
}

}  // namespace
}  // namespace xwalk::hub
