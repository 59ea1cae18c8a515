#include <gtest/gtest.h>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

TEST(DidYouMean, NamesTheNearestThreeAtMost) {
  EXPECT_EQ(did_you_mean("selct", {"schema", "select", "limit"}), "Did you mean select?");
  EXPECT_EQ(did_you_mean("int46", {"int64", "int32", "int4", "int16", "int26", "utf8"}),
            "Did you mean int64, int4 or int16?");
  // A candidate is left out if another is much closer, and if more than a third is different.
  EXPECT_EQ(did_you_mean("compresion", {"compression", "version"}), "Did you mean compression?");
  EXPECT_EQ(did_you_mean("moed", {"mode", "more"}), "Did you mean mode?");
  EXPECT_EQ(did_you_mean("Foo", {"Bool", "int8"}), "");
  EXPECT_EQ(did_you_mean("batch_size", {"select", "batch_rows"}), "Did you mean batch_rows?");
  EXPECT_EQ(did_you_mean("INT32", {"int32"}), "Did you mean int32?");
  EXPECT_EQ(did_you_mean("ysn", {"json", "yson"}), "Did you mean yson?");
}

TEST(DidYouMean, IsSilentWhereNoneIsClose) {
  EXPECT_EQ(did_you_mean("colour", {"select", "limit"}), "");
  EXPECT_EQ(did_you_mean("x", {}), "");
  EXPECT_EQ(did_you_mean("ms", {"ns", "us"}), "");
}

TEST(DidYouMean, ShowsCandidatesAsTheyAreWritten) {
  EXPECT_EQ(did_you_mean("abc", {"ab", "bc"}, [](const std::string& word) { return "$" + word; }),
            "Did you mean $ab or $bc?");
}

}  // namespace
}  // namespace xwalk
