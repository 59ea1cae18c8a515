#include "xwalk/base/text_cursor.h"

#include <gtest/gtest.h>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

template <typename Function>
Error error_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "expected an error";
  return {ErrorCode::Internal, ""};
}

TEST(TextCursor, SkipsTheSameWhiteSpaceBeforeEveryToken) {
  TextCursor cursor(" \t\r\n( \t\r\nlist \t\r\n-7 \t\r\n'a' \t\r\n");
  EXPECT_TRUE(cursor.take('('));
  EXPECT_TRUE(cursor.take("list"));
  EXPECT_EQ(cursor.integer(-8, 8), -7);
  EXPECT_EQ(cursor.quoted_text(""), "a");
  EXPECT_TRUE(cursor.at_end());
  EXPECT_FALSE(cursor.take('\0'));
  // A form feed and a zero byte are not white space.
  EXPECT_FALSE(TextCursor("\f").at_end());
  EXPECT_FALSE(TextCursor(std::string_view("\0", 1)).at_end());
}

TEST(TextCursor, SkipsCommentsOnlyIfTheFormHasThem) {
  const std::string_view text = "# one\n // two\n x // three";
  TextCursor cursor(text, TextCursor::Comments::Yes);
  EXPECT_TRUE(cursor.take('x'));
  EXPECT_TRUE(cursor.at_end());
  EXPECT_TRUE(TextCursor("#", TextCursor::Comments::Yes).at_end());
  EXPECT_TRUE(TextCursor(text).peek('#'));
}

TEST(TextCursor, KnowsIfALineEndedBeforeTheToken) {
  TextCursor cursor("a b\n c");
  EXPECT_FALSE(cursor.at_line_start());
  EXPECT_TRUE(cursor.take('a'));
  EXPECT_FALSE((cursor.skip_space(), cursor.at_line_start()));
  EXPECT_TRUE(cursor.take('b'));
  EXPECT_TRUE((cursor.skip_space(), cursor.at_line_start()));
}

TEST(TextCursor, ErrorsNameTheTokenAndItsPlace) {
  struct Case {
    std::string_view text;
    std::string_view message;
    uint64_t line, column;
    size_t length;
  };
  const Case cases[] = {
      {"", "expected a type, found the end", 1, 1, 1},
      {" \n ", "expected a type, found the end", 2, 2, 1},
      {"\n  int65<", "expected a type, found \"int65\"", 2, 3, 5},
      {"<int65", "expected a type, found \"<\"", 1, 1, 1},
      {"größe:", "expected a type, found \"größe\"", 1, 1, 7},
  };
  for (const Case& row : cases) {
    const Error error = error_of([&] { TextCursor(row.text).expected("a type"); });
    EXPECT_EQ(error.message(), row.message);
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_EQ(error.place().line, row.line) << row.text;
    EXPECT_EQ(error.place().column, row.column) << row.text;
    EXPECT_EQ(error.place().snippet_length, row.length) << row.text;
  }
}

TEST(TextCursor, IntegersAreWholeWordsInTheirRange) {
  EXPECT_EQ(TextCursor("255)").integer(0, 255), 255);
  for (const char* text : {"256", "-1", "+1", "1a", "1_0", "", ")", "99999999999999999999"}) {
    const Error error = error_of([&] { TextCursor(text).integer(0, 255); });
    EXPECT_TRUE(error.message().starts_with("expected an integer from 0 to 255, found ")) << text;
    EXPECT_EQ(error.place().column, 1u) << text;
  }
  EXPECT_EQ(error_of([] { TextCursor("x").integer(0, 1, "a scale"); }).message(),
            "expected a scale, found \"x\"");
}

TEST(TextCursor, QuotedTextHasTheEscapesOfTheForm) {
  constexpr std::string_view kAll = "0abtnvfr'\"\\xu";
  TextCursor cursor(R"("\0\a\b\t\n\v\f\r\'\"\\\x4a\u{e9}\u{1f600}'")");
  const std::string_view expected("\0\a\b\t\n\v\f\r'\"\\Jé😀'", 19);
  EXPECT_EQ(cursor.quoted_text(kAll), expected);
  EXPECT_TRUE(cursor.at_end());

  struct Case {
    std::string_view text;
    std::string_view letters;
    std::string_view message;
    uint64_t column;
  };
  const Case cases[] = {
      {R"(  "abc)", kAll, "expected a closing quote, found the end", 3},
      {R"("abc\)", kAll, "expected a closing quote, found the end", 1},
      {R"("abc\")", kAll, "expected a closing quote, found the end", 1},
      {R"("a\q")", "n\"x", R"(expected an escape of \n \" \xHH, found \q)", 3},
      {R"("a\n")", "u", R"(expected an escape of \u{…}, found \n)", 3},
      {R"("\x4g")", kAll, "expected two hex digits, found \"4g\"", 4},
      {R"("\x4)", kAll, "expected two hex digits, found \"4\"", 4},
      {R"("\u00e9")", kAll, "expected a code point in hex between braces, found \"00e9\"", 4},
      {R"("\u{d800}")", kAll, "expected a code point in hex between braces, found \"{\"", 4},
      {R"("\u{110000}")", kAll, "expected a code point in hex between braces, found \"{\"", 4},
      {R"("\u{}")", kAll, "expected a code point in hex between braces, found \"{\"", 4},
      {R"("\u{41")", kAll, "expected a code point in hex between braces, found \"{\"", 4},
  };
  for (const Case& row : cases) {
    const Error error = error_of([&] { TextCursor(row.text).quoted_text(row.letters); });
    EXPECT_EQ(error.message(), row.message) << row.text;
    EXPECT_EQ(error.place().column, row.column) << row.text;
  }
}

TEST(TextCursor, AddsAPlaceOnlyToErrorsWithoutOne) {
  TextCursor cursor("a decimal(77)");
  cursor.move_to(13);
  const auto fail = [&](Place place) {
    return error_of([&] {
      cursor.with_place(2, [&]() -> int { throw Error(ErrorCode::Input, "no", place); });
    });
  };
  EXPECT_EQ(fail({}).place().column, 3u);
  EXPECT_EQ(fail({}).place().snippet_length, 11u);
  Place known;
  known.line = 7;
  EXPECT_EQ(fail(known).place().line, 7u);
  EXPECT_EQ(cursor.with_place(0, [] { return 5; }), 5);
}

TEST(TextCursor, ChecksDepth) {
  TextCursor cursor("x");
  EXPECT_NO_THROW(cursor.check_depth(32, 32));
  EXPECT_EQ(error_of([&] { cursor.check_depth(33, 32); }).message(),
            "expected at most 32 nested types, found more");
}

TEST(TextCursor, Trims) {
  EXPECT_EQ(trimmed("\t a b\r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace xwalk
