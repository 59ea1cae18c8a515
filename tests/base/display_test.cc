#include "xwalk/base/display.h"

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("price"), 5);
  EXPECT_EQ(display_width("größe"), 5);
  EXPECT_EQ(display_width("価格"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);  // a letter and its accent
  EXPECT_EQ(display_width("cafe\u0301s"), 5);
  EXPECT_EQ(display_width("👍"), 2);
  EXPECT_EQ(display_width("👩‍👩‍👧"), 2);  // three people and two joiners
  EXPECT_EQ(display_width("한국"), 4);
  EXPECT_EQ(display_width("\u1112\u1161\u11ab"), 2);  // one syllable of three letters
}

TEST(DisplayWidth, DoesNotCountColours) {
  EXPECT_EQ(display_width("\x1b[31mred\x1b[0m"), 3);
  EXPECT_EQ(display_width("\x1b[31"), 0);
}

TEST(DisplayWidth, CountsMalformedBytesAsOneEach) {
  EXPECT_EQ(display_width("\xff\xfe"), 2);
  EXPECT_EQ(display_width("\xe4\xbe"), 2);
}

TEST(Clip, NeverBreaksACharacter) {
  EXPECT_EQ(clip("price", 5), "price");
  EXPECT_EQ(clip("prices", 5), "pric…");
  EXPECT_EQ(clip("価格表", 4), "価…");
  EXPECT_EQ(clip("価格表", 5), "価格…");
  EXPECT_EQ(clip("👩‍👩‍👧👍x", 4), "👩‍👩‍👧…");
  EXPECT_EQ(clip("cafe\u0301s", 4), "caf…");
  EXPECT_EQ(clip("a cafe\u0301s", 6), "a caf…");
  EXPECT_EQ(clip("a cafe\u0301s", 7), "a cafe\u0301s");
  EXPECT_EQ(clip("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  EXPECT_EQ(clip("abc", 1), "…");
  EXPECT_EQ(clip("abc", 0), "");
}

}  // namespace
}  // namespace xwalk
