#include "xwalk/base/error.h"

#include <string>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(Message, LongNamesAreShortened) {
  const std::string name = std::string(299, 'n') + "ä";
  std::string longer;
  for (int i = 0; i < 1000; ++i) longer += name;
  Place place;
  place.path = Path::column(longer);
  const std::string shown =
      Error(ErrorCode::Input, "expected a name, found " + longer, place, longer + " " + longer)
          .describe();
  EXPECT_LT(shown.size(), 4000U);
  EXPECT_NE(shown.find("…: expected a name, found nnn"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("\\x"), std::string::npos) << "cut within a character";
}

TEST(Message, LongTextsOfShortWordsAreShortened) {
  std::string words;
  for (int i = 0; i < 100'000; ++i) words += "word ";
  EXPECT_LT(Error(ErrorCode::Input, words).describe().size(), 20'000U);
}

TEST(Message, PathsOfFilesStayWhole) {
  const std::string file = std::string(900, 'f') + ".parquet";
  const std::string shown = Error(ErrorCode::Io, "cannot open " + file).describe();
  EXPECT_EQ(shown, "error: cannot open " + file);
}

/// Shows an error about `length` bytes of a text, without its first line.
std::string snippet(std::string_view text, size_t offset, size_t length = 1) {
  const Error error(ErrorCode::Input, "wrong", place_in_text(text, offset, length));
  const std::string shown = error.describe();
  return shown.substr(shown.find('\n') + 1);
}

TEST(Snippet, TheCaretStandsUnderTheColumn) {
  EXPECT_EQ(snippet("a: int, b: imt", 11, 3), "  a: int, b: imt\n             ^~~");
  EXPECT_EQ(snippet("one\ntwo\nthree", 4), "  two\n  ^");
  EXPECT_EQ(snippet("abc", 3), "  abc\n     ^");
}

TEST(Snippet, WideCharactersAreShownAndCounted) {
  EXPECT_EQ(snippet("価格: imt", 8, 3), "  価格: imt\n        ^~~");
  EXPECT_EQ(snippet("größe: imt", 9, 3), "  größe: imt\n         ^~~");
  EXPECT_EQ(snippet("価: int", 0, 3), "  価: int\n  ^~");
}

TEST(Snippet, NothingThatATerminalObeysIsShown) {
  EXPECT_EQ(snippet("\x1b[2Ja\tb\xff\u202E!", 4),
            "  ?[2Ja b???"
            "?!\n      ^");
  EXPECT_EQ(snippet("\x9b\x31m", 1), "  ?1m\n   ^");
}

TEST(Snippet, LongLinesAreCutBetweenCharacters) {
  std::string line;
  for (int i = 0; i < 100; ++i) line += "ä";
  const std::string shown = snippet(line, 100, 2);
  EXPECT_EQ(shown.find('?'), std::string::npos);
  EXPECT_EQ(shown.substr(0, 9), "  …ää");
}

}  // namespace
}  // namespace xwalk
