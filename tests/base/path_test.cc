#include "xwalk/base/path.h"

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(Path, PrintsEachKindOfStep) {
  const Path orders = Path::column("orders");
  EXPECT_EQ(Path().text(), "");
  EXPECT_EQ(orders.field("items").item().field("price").text(), "orders.items[].price");
  EXPECT_EQ(orders.item(3).map_key().text(), "orders[3]{key}");
  EXPECT_EQ(orders.map_value().alternative("a b").text(), "orders{value}<\"a b\">");
  EXPECT_EQ(Path::column("").field("x.y").text(), "\"\".\"x.y\"");
}

TEST(Path, KnowsItsParentAndItsSteps) {
  const Path path = Path::column("a").item().field("b");
  EXPECT_EQ(path.size(), 3U);
  EXPECT_EQ(path.last().name, "b");
  EXPECT_TRUE(path.last().is_named());
  EXPECT_EQ(path.parent(), Path::column("a").item());
  EXPECT_FALSE(path.parent().last().is_named());
  EXPECT_TRUE(path.parent().parent().parent().empty());
  EXPECT_EQ(path.steps().front()->name, "a");
}

TEST(Path, IsEqualByItsSteps) {
  EXPECT_EQ(Path::column("a").field("b"), Path::column("a").field("b"));
  EXPECT_EQ(Path::Hash()(Path::column("a").item()), Path::Hash()(Path::column("a").item()));
  EXPECT_FALSE(Path::column("a").field("b") == Path::column("a").alternative("b"));
  EXPECT_FALSE(Path::column("a").item() == Path::column("a").item(0));
  EXPECT_FALSE(Path::column("a") == Path());
}

TEST(Path, BelongsToAPlaceInTheSchema) {
  EXPECT_EQ(Path::column("a").item(7).field("b").in_schema(), Path::column("a").item().field("b"));
}

TEST(Path, ManyStepsDownShareWhatStandsAbove) {
  Path path;
  for (int i = 0; i < 1000; ++i) path = path.item();
  const Path twice = path.field("a");
  EXPECT_EQ(twice.size(), 1001U);
  EXPECT_EQ(twice.parent(), path);
  EXPECT_EQ(path.text().size(), 2000U);
}

}  // namespace
}  // namespace xwalk
