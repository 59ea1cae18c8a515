#include "xwalk/hub/member_paths.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "xwalk/hub/names.h"

namespace xwalk::hub {
namespace {

const std::vector<Field> kTwice = {{"a", Kind::Int64}, {"b", Kind::Int64}, {"a", Kind::Utf8}};

TEST(MemberPathsTest, TellMembersOfOneNameApart) {
  const MemberPaths columns(kTwice);
  EXPECT_EQ(columns[0], Path::column("a"));
  EXPECT_EQ(columns[1], Path::column("b"));
  EXPECT_NE(columns[2], columns[0]);
  EXPECT_EQ(columns[2].text(), "a");
  EXPECT_FALSE(are_distinct(kTwice));
}

TEST(MemberPathsTest, AreThoseOfAllMembers) {
  for (const Type& type : {struct_(kTwice), union_(kTwice)}) {
    const MemberPaths members(type, Path::column("x").item());
    const std::vector<Path> all = paths_of_members(type, Path::column("x").item());
    ASSERT_EQ(all.size(), 3U);
    for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(members[i], all[i]);
  }
  EXPECT_EQ(paths_of_members(union_(kTwice), Path::column("x"))[1].text(), "x<b>");
}

TEST(MemberPathsTest, MoveFromOnePlaceToAnother) {
  const MovedPlace place{Path::column("a"), Path::column("b")};
  EXPECT_EQ(place.of(Path::column("a")), Path::column("b"));
  EXPECT_EQ(place.of(Path::column("a").item().field("c")), Path::column("b").item().field("c"));
}

TEST(MemberPathsTest, PlainWordsAreShortAndOfAscii) {
  EXPECT_TRUE(is_plain_word("w0rd_"));
  for (const std::string& name : {std::string(), std::string("_a"), std::string("$a"),
                                  std::string("a b"), std::string("ä"), std::string(65, 'a')}) {
    EXPECT_FALSE(is_plain_word(name)) << name;
  }
}

}  // namespace
}  // namespace xwalk::hub
