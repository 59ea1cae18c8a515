#include "xwalk/base/word_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xwalk {
namespace {

using testing::ElementsAre;

TEST(WordList, EndsWordsAtCommas) {
  EXPECT_THAT(split_list("a,b.c, d"), ElementsAre("a", "b.c", " d"));
  EXPECT_THAT(split_list("a,,b,"), ElementsAre("a", "b"));
  EXPECT_THAT(split_list(""), ElementsAre(""));
  EXPECT_THAT(split_list(","), ElementsAre());
}

TEST(WordList, KeepsCommasInQuotesAndBrackets) {
  EXPECT_THAT(split_list(R"("a,b",c)"), ElementsAre(R"("a,b")", "c"));
  EXPECT_THAT(split_list("a(1,2),b"), ElementsAre("a(1", "2)", "b"));
  EXPECT_THAT(split_list("a=decimal(18,2),b=map<int32, list<int8>>", "(<", ")>"),
              ElementsAre("a=decimal(18,2)", "b=map<int32, list<int8>>"));
  EXPECT_THAT(split_list("a),b", "(", ")"), ElementsAre("a)", "b"));
}

}  // namespace
}  // namespace xwalk
