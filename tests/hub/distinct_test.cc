#include "xwalk/hub/distinct.h"

#include <gtest/gtest.h>

namespace xwalk::hub {
namespace {

DistinctValues of(uint64_t begin, uint64_t end) {
  DistinctValues values;
  for (int round = 0; round < 3; ++round) {
    for (uint64_t value = begin; value < end; ++value) values.add(mixed(value));
  }
  return values;
}

TEST(DistinctValuesTest, CountsFewOneByOne) {
  EXPECT_EQ(DistinctValues().count(), (DistinctCount{0, false}));
  EXPECT_EQ(of(0, 1).count(), (DistinctCount{1, false}));
  EXPECT_EQ(of(0, DistinctValues::kExact).count(), (DistinctCount{DistinctValues::kExact, false}));
}

TEST(DistinctValuesTest, EstimatesMany) {
  for (const uint64_t many : {uint64_t{5000}, uint64_t{100'000}, uint64_t{3'000'000}}) {
    const DistinctCount count = of(0, many).count();
    EXPECT_TRUE(count.estimated);
    EXPECT_NEAR(static_cast<double>(count.values), static_cast<double>(many),
                0.05 * static_cast<double>(many));
  }
}

TEST(DistinctValuesTest, MergesWhatOverlaps) {
  DistinctValues few = of(0, 100);
  few.merge(of(50, 150));
  EXPECT_EQ(few.count(), (DistinctCount{150, false}));
  DistinctValues many = of(0, 60'000);
  many.merge(of(40'000, 100'000));
  EXPECT_EQ(many.count(), of(0, 100'000).count());
  few.merge(many);
  EXPECT_EQ(few.count(), many.count());
}

}  // namespace
}  // namespace xwalk::hub
