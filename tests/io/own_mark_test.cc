#include "xwalk/io/bytes/own_mark.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace xwalk::io {
namespace {

// The first, the ninth and the last vector of the reference implementation, for the key 00 … 0f and
// the texts 00 01 … of 0, 8 and 15 bytes.
TEST(OwnMark, HashIsThatOfTheReference) {
  constexpr std::array<uint64_t, 2> kKey = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string text;
  for (char c = 0; c < 15; ++c) text.push_back(c);
  EXPECT_EQ(keyed_hash(kKey, ""), 0x726fdb47dd0e0e31U);
  EXPECT_EQ(keyed_hash(kKey, text.substr(0, 8)), 0x93f5f5799a932462U);
  EXPECT_EQ(keyed_hash(kKey, text), 0xa129ca6149be45e5U);
}

TEST(OwnMark, MarksDependOnTheText) {
  const auto mark = own_mark("a");
  if (!mark) GTEST_SKIP() << "this user has no folder for state";
  EXPECT_EQ(mark->size(), kMarkDigits);
  EXPECT_EQ(own_mark("a"), mark);
  EXPECT_NE(own_mark("b"), mark);
}

}  // namespace
}  // namespace xwalk::io
