#include "xwalk/base/repeats.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

std::vector<size_t> repeats(const std::vector<std::string_view>& names) {
  return repeats_before(names);
}

TEST(RepeatsTest, AreNothingWhereAllNamesDiffer) {
  EXPECT_TRUE(repeats({}).empty());
  EXPECT_TRUE(repeats({"a"}).empty());
  EXPECT_TRUE(repeats({"a", "", "A", "ab", "b"}).empty());
}

TEST(RepeatsTest, AreCountedForEachName) {
  EXPECT_EQ(repeats({"a", "b", "a", "", "a", "", "b"}), (std::vector<size_t>{0, 0, 1, 0, 2, 1, 1}));
}

TEST(RepeatsTest, AreFoundAmongManyNames) {
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back("column_" + std::to_string(i));
  std::vector<std::string_view> views(names.begin(), names.end());
  EXPECT_TRUE(repeats_before(views).empty());
  views.push_back(views[1234]);
  const std::vector<size_t> found = repeats_before(views);
  ASSERT_EQ(found.size(), views.size());
  EXPECT_EQ(found.back(), 1U);
  EXPECT_EQ(found[1234], 0U);
}

}  // namespace
}  // namespace xwalk
