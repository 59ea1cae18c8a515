#include <gtest/gtest.h>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

TEST(DidYouMean, NamesTheNearestThreeAtMost) {
  EXPECT_EQ(did_you_mean("selct", {"schema", "select", "limit"}), "Did you mean select?");
  EXPECT_EQ(did_you_mean("int16", {"int64", "int32", "int8", "int16x", "utf8"}),
            "Did you mean int16x, int64 or int32?");
  EXPECT_EQ(did_you_mean("ysn", {"json", "yson"}), "Did you mean yson or json?");
}

TEST(DidYouMean, IsSilentWhereNoneIsClose) {
  EXPECT_EQ(did_you_mean("colour", {"select", "limit"}), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
}

TEST(DidYouMean, ShowsCandidatesAsTheyAreWritten) {
  EXPECT_EQ(did_you_mean("ab", {"a", "b"}, [](const std::string& word) { return "$" + word; }),
            "Did you mean $a or $b?");
}

}  // namespace
}  // namespace xwalk
