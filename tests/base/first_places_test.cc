#include "xwalk/base/first_places.h"

#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(FirstPlaces, FindsTheFirstOfEachName) {
  FirstPlaces places(4);
  EXPECT_EQ(places.find("a"), std::nullopt);
  EXPECT_EQ(places.add("a", 0), 0U);
  EXPECT_EQ(places.add("", 3), 3U);
  EXPECT_EQ(places.add("a", 5), 0U);
  EXPECT_EQ(places.add("b", 6), 6U);
  EXPECT_EQ(places.find("a"), 0U);
  EXPECT_EQ(places.find(""), 3U);
  EXPECT_EQ(places.find("b"), 6U);
  EXPECT_EQ(places.find("c"), std::nullopt);
}

TEST(FirstPlaces, HasRoomForNone) {
  const FirstPlaces places(0);
  EXPECT_EQ(places.find(""), std::nullopt);
}

TEST(FirstPlaces, AgreesWithAMap) {
  std::minstd_rand random(7);
  std::vector<std::string> names;
  for (int i = 0; i < 5000; ++i) names.push_back(std::to_string(random() % 4000));
  FirstPlaces places(names.size());
  std::unordered_map<std::string, size_t> wanted;
  for (size_t i = 0; i < names.size(); ++i) {
    ASSERT_EQ(places.add(names[i], i), wanted.try_emplace(names[i], i).first->second);
  }
  for (int i = 0; i < 5000; ++i) {
    const std::string name = std::to_string(i);
    const auto found = wanted.find(name);
    ASSERT_EQ(places.find(name),
              found == wanted.end() ? std::nullopt : std::optional(found->second));
  }
}

}  // namespace
}  // namespace xwalk
