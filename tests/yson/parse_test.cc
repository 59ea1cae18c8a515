#include "xwalk/yson/parse.h"

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"
#include "xwalk/yson/print.h"
#include "xwalk/yson/scan.h"

namespace xwalk::yson {
namespace {

using std::string_literals::operator""s;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Error error_of(std::string_view text, Fragment fragment = Fragment::Node) {
  try {
    parse_fragment(text, fragment);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::Internal, "nothing was thrown");
}

TEST(Parse, ReadsScalars) {
  struct Case {
    std::string text;
    Node value;
  };
  const Case cases[] = {
      {"1", Node::int64(1)},
      {"-0", Node::int64(0)},
      {"+5", Node::int64(5)},
      {"007", Node::int64(7)},
      {"9223372036854775807", Node::int64(std::numeric_limits<int64_t>::max())},
      {"-9223372036854775808", Node::int64(std::numeric_limits<int64_t>::min())},
      {"00000000000000000000000000000000000012", Node::int64(12)},
      {"18446744073709551615u", Node::uint64(std::numeric_limits<uint64_t>::max())},
      {"+5u", Node::uint64(5)},
      {"1.", Node::real(1)},
      {"-.5", Node::real(-0.5)},
      {"+.5", Node::real(0.5)},
      {"1.e5", Node::real(1e5)},
      {"1E+05", Node::real(1e5)},
      {"-0.0", Node::real(-0.0)},
      {"0.1", Node::real(0.1)},
      {"123456789012345678901234567890.", Node::real(123456789012345678901234567890.)},
      {"9007199254740993.0", Node::real(9007199254740992.0)},  // a tie rounds to even
      {"9007199254740993.00000000000000000001", Node::real(9007199254740994.0)},
      {"2.2250738585072011e-308", Node::real(2.2250738585072011e-308)},
      {"4.9e-324", Node::real(std::numeric_limits<double>::denorm_min())},
      {"1e400", Node::real(kInfinity)},
      {"-1e400", Node::real(-kInfinity)},
      {"0.0001e400", Node::real(kInfinity)},
      {"1e-400", Node::real(0.0)},
      {"-1e-400", Node::real(-0.0)},
      {"1" + std::string(400, '0') + "e-500", Node::real(1e-100)},
      {"1" + std::string(400, '0') + ".", Node::real(kInfinity)},
      {"0." + std::string(400, '0') + "1", Node::real(0.0)},
      {"0e99999999999999999999999", Node::real(0.0)},
      {"1e99999999999999999999999", Node::real(kInfinity)},
      {"1e-99999999999999999999999", Node::real(0.0)},
      {"%nan", Node::real(std::numeric_limits<double>::quiet_NaN())},
      {"%inf", Node::real(kInfinity)},
      {"%+inf", Node::real(kInfinity)},
      {"%-inf", Node::real(-kInfinity)},
      {"%true", Node::boolean(true)},
      {"%false", Node::boolean(false)},
      {"#", Node()},
      {"true", Node::string("true")},
      {"_a.b-c%d_9", Node::string("_a.b-c%d_9")},
      {"\"\"", Node::string("")},
      {"\"a\nb\"", Node::string("a\nb")},
      {"\x02\x54", Node::int64(42)},
      {"\x06\x2a", Node::uint64(42)},
      {"\x04", Node::boolean(false)},
      {"\x05", Node::boolean(true)},
      {"\x01\x06"s + "a;]", Node::string("a;]")},
      {"\x03\x00\x00\x00\x00\x00\x00\xf8\x3f"s, Node::real(1.5)},
      {" \t\n\v\f\r1 \t\n\v\f\r", Node::int64(1)},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(print(parse(c.text)), print(c.value));
    EXPECT_TRUE(parse(c.text) == c.value);
  }
}

TEST(Parse, ReadsVarintsOfEveryLength) {
  const std::string nines(9, '\xff');
  struct Case {
    std::string bytes;
    uint64_t value;
  };
  const Case cases[] = {
      {"\x7f", 127},
      {"\x80\x01", 128},
      {"\x80\x00"s, 0},  // not minimal
      {nines + "\x01", std::numeric_limits<uint64_t>::max()},
      {nines + "\x7f", std::numeric_limits<uint64_t>::max()},  // excess bits do not count
      {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", uint64_t{1} << 63},
      {"\x80\x80\x80\x80\x80\x80\x80\x01", uint64_t{1} << 49},
      {"\x81\x82\x83\x84\x85\x86\x87\x08", 1 + (2ULL << 7) + (3ULL << 14) + (4ULL << 21) +
                                               (5ULL << 28) + (6ULL << 35) + (7ULL << 42) +
                                               (8ULL << 49)},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(parse("\x06" + c.bytes).as_uint64(), c.value);
    EXPECT_EQ(parse("\x06" + c.bytes + std::string(20, ' ')).as_uint64(), c.value);
    EXPECT_EQ(parse("\x02" + c.bytes).as_int64(), zigzag_decode(c.value));
  }
  EXPECT_THAT(error_of("\x06" + nines + "\xff\x01").message(), HasSubstr("varint"));
}

TEST(Parse, UndoesEscapes) {
  struct Case {
    std::string text;
    std::string value;
  };
  const Case cases[] = {
      {R"(\n\r\t\a\b\f\v\\\")", "\n\r\t\a\b\f\v\\\""},
      {R"(\0\7\12\123\1234\377\400\777\8)", "\0\7\12\123\1234\377\40"s + "0\77" + "78"},
      {R"(\x\xg\x4\x41\x414\xFf)",
       "xxg\x04"
       "A"
       "A4\xff"},
      {R"(\u00e9\u12\u0000)", "\xc3\xa9u12\0"s},
      {R"(\ud83d\ude00)", "\xf0\x9f\x98\x80"},
      {R"(\ud83d)", "\xed\xa0\xbd"},
      {R"(\ud83d\u0041)", "\xef\xbf\xbd"},
      {R"(\ude00\ud83d)", "\xed\xb8\x80\xed\xa0\xbd"},
      {R"(\ud83d\u004)", "\xed\xa0\xbdu004"},
      {R"(\U0001F600\U0000004\Uffffffff)", "\xf0\x9f\x98\x80U0000004\xf7\xbf\xbf\xbf"},
      {"\\q\\?\\'\\e\\\n\\;", "q?'e\n;"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(parse("\"" + c.text + "\"").as_string(), c.value) << c.text;
  }
}

TEST(Parse, ReadsStructure) {
  struct Case {
    std::string text;
    std::string canonical;
  };
  const Case cases[] = {
      {"[]", "[]"},
      {"[1;2]", "[1;2;]"},
      {"[1;2;]", "[1;2;]"},
      {" { a = 1 ; \"b c\" = [ ] ; } ", R"({"a"=1;"b c"=[];})"},
      {"{a=1;a=2}", R"({"a"=1;"a"=2;})"},
      {"{\x01\x02"s + "a=1}", R"({"a"=1;})"},
      {"<>1", "1"},
      {"<a=1>#", R"(<"a"=1;>#)"},
      {"<a=<b=1>2>{c=<d=4>[]}", R"(<"a"=<"b"=1;>2;>{"c"=<"d"=4;>[];})"},
      {"[\x02\x02;1;\x05;%true]", "[1;1;%true;%true;]"},
      {"[a;\"b\"]", R"(["a";"b";])"},
  };
  for (const Case& c : cases) EXPECT_EQ(print(parse(c.text)), c.canonical) << c.text;
}

TEST(Parse, ReadsFragments) {
  EXPECT_EQ(parse_list_fragment("").size(), 0U);
  EXPECT_EQ(parse_list_fragment(" \n").size(), 0U);
  EXPECT_EQ(parse_list_fragment("1;2;3").size(), 3U);
  EXPECT_EQ(parse_list_fragment("1;2;3;\n").size(), 3U);
  EXPECT_THROW(parse_list_fragment("1\0;2"s), Error);
  EXPECT_EQ(print(parse_map_fragment("")), "{}");
  EXPECT_EQ(print(parse_map_fragment("a=1;b=[2]")), R"({"a"=1;"b"=[2;];})");
  EXPECT_EQ(print(parse_map_fragment("a=1;")), R"({"a"=1;})");
  for (const char* text : {";", "1;;", "1 2", "1;;2", "]"}) {
    EXPECT_THROW(parse_list_fragment(text), Error) << text;
  }
  for (const char* text : {";", "a", "a=", "a=1;;", "{a=1}", "1=2", "<a=1>b=2"}) {
    EXPECT_THROW(parse_map_fragment(text), Error) << text;
  }
}

TEST(Parse, SaysWhatWasExpectedAndFound) {
  struct Case {
    std::string text;
    std::string message;
    uint64_t line;
    uint64_t column;
  };
  const Case cases[] = {
      {"", "expected a value, found the end of the input", 1, 1},
      {"  \n ", "expected a value, found the end of the input", 2, 2},
      {"[1;\n 2 3]", "expected \";\" or \"]\", found int64 \"3\"", 2, 4},
      {"{a=1;;}", "expected a string as key, found \";\"", 1, 6},
      {"{a 1}", "expected \"=\" after the key, found int64 \"1\"", 1, 4},
      {"{a=}", "expected a value, found \"}\"", 1, 4},
      {"{#=1}", "expected a string as key, found entity \"#\"", 1, 2},
      {"<a=1>", "expected a value, found the end of the input", 1, 6},
      {"<a=1><b=2>3", "expected a value after its attributes, found \"<\"", 1, 6},
      {"[1}", "expected \";\" or \"]\", found \"}\"", 1, 3},
      {"[1", "expected \";\" or \"]\", found the end of the input", 1, 3},
      {"1;", "expected the end of the input after one value, found \";\"", 1, 2},
      {"12abc", "expected an int64, uint64 or double, found \"12abc\"", 1, 1},
      {"1u5", "expected an int64, uint64 or double, found \"1u5\"", 1, 1},
      {"-5u", "expected an int64, uint64 or double, found \"-5u\"", 1, 1},
      {"--1", "expected an int64, uint64 or double, found \"--1\"", 1, 1},
      {"1e", "expected an int64, uint64 or double, found \"1e\"", 1, 1},
      {"-.", "expected an int64, uint64 or double, found \"-.\"", 1, 1},
      {"9223372036854775808", "expected an integer of 64 bits, found \"9223372036854775808\"", 1,
       1},
      {"18446744073709551616u", "expected an integer of 64 bits, found \"18446744073709551616u\"",
       1, 1},
      {"[%yes]", "expected %true, %false, %nan, %inf, %+inf or %-inf, found \"%yes\"", 1, 2},
      {".5", "expected a value, found \".5\"", 1, 1},
      {"(1)", "expected a value, found \"(\"", 1, 1},
      {"[1,2]", "expected \";\" or \"]\", found \",\"", 1, 3},
      {"{a:1}", "expected \"=\" after the key, found \":\"", 1, 3},
      {"{a=1 \"b=2}", "expected \";\" or \"}\", found \"\\\"\"", 1, 6},
      {"<a=1 b=2>3", "expected \";\" or \">\", found string \"b\"", 1, 6},
      {"<a=1", "expected \";\" or \">\", found the end of the input", 1, 5},
      {"{a", "expected \"=\" after the key, found the end of the input", 1, 3},
      {"{", "expected a string as key, found the end of the input", 1, 2},
      {"[\"abc", "expected the closing quote of a string, found the end of the input", 1, 2},
      {"\"\\\"", "expected the closing quote of a string, found the end of the input", 1, 1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    Error error = error_of(c.text);
    EXPECT_EQ(error.code(), ErrorCode::Input);
    EXPECT_EQ(error.message(), c.message);
    EXPECT_EQ(error.place().line, c.line);
    EXPECT_EQ(error.place().column, c.column);
  }
}

TEST(Parse, PutsACaretUnderTheFault) {
  EXPECT_EQ(error_of("{a=1;\nb=[1;oops=2]}").describe(),
            "2:10: error: expected \";\" or \"]\", found \"=\"\n"
            "  b=[1;oops=2]}\n"
            "           ^");
}

TEST(Parse, GivesTheByteInBinary) {
  struct Case {
    std::string bytes;
    std::string message;
    uint64_t byte;
  };
  const Case cases[] = {
      {"[\x02\x02\x02\x04]", "expected \";\" or \"]\"", 3},
      {"\x01\x0a"s + "ab", "expected the rest of a binary string", 0},
      {"[1;\x01\x03", "expected a string length of 0 or more", 4},
      {"\x03\x00"s, "expected more bytes", 0},
      {"[\x02\x80", "expected more bytes", 1},
  };
  for (const Case& c : cases) {
    Error error = error_of(c.bytes);
    EXPECT_THAT(error.message(), HasSubstr(c.message));
    EXPECT_EQ(error.place().byte, c.byte) << c.message;
    EXPECT_FALSE(error.place().line) << c.message;
  }
}

TEST(Parse, RefusesZeroBytesBetweenTokens) {
  struct Case {
    std::string text;
    std::string expected;
    uint64_t byte;
  };
  const Case cases[] = {
      {"{a=1}\0garbage"s, "expected the end of the input after one value", 5},
      {"1\0"s, "expected the end of the input after one value", 1},
      {"[1\0]"s, "expected \";\" or \"]\"", 2},
      {"\0"s, "expected a value", 0},
  };
  for (const Case& c : cases) {
    Error error = error_of(c.text);
    EXPECT_EQ(error.message(), c.expected + ", found \"\\x00\"");
    EXPECT_EQ(error.place().byte, c.byte);
  }
}

TEST(Parse, RemembersWhereValuesBegan) {
  Node node = parse("<a=1> {b = [10; 20]}");
  EXPECT_EQ(node.source_offset(), 6U);
  EXPECT_EQ(node.find_attribute("a")->source_offset(), 3U);
  EXPECT_EQ(node.find("b")->source_offset(), 11U);
  EXPECT_EQ(node.find("b")->as_list()[1].source_offset(), 16U);
}

std::string nested(std::string_view open, std::string_view close, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += open;
  text += "1";
  for (size_t i = 0; i < count; ++i) text += close;
  return text;
}

bool accepts(const std::string& text, int max_depth = kMaxDepth) {
  bool skipped_whole = false;
  const char* p = text.data();
  Status status = skip_value(p, text.data() + text.size(), max_depth);
  skipped_whole = status == Status::Ok && p == text.data() + text.size();
  bool parsed = true;
  try {
    parse(text, {.max_depth = max_depth});
  } catch (const Error&) {
    parsed = false;
  }
  EXPECT_EQ(parsed, skipped_whole) << text.substr(0, 100);
  return parsed;
}

TEST(Parse, LimitsDepth) {
  EXPECT_TRUE(accepts(nested("[", "]", 255)));
  EXPECT_FALSE(accepts(nested("[", "]", 256)));
  EXPECT_TRUE(accepts(nested("{a=", "}", 255)));
  EXPECT_FALSE(accepts(nested("{a=", "}", 256)));
  EXPECT_TRUE(accepts(nested("<a=", ">1", 255)));
  EXPECT_FALSE(accepts(nested("<a=", ">1", 256)));
  EXPECT_TRUE(accepts(nested("<a=[", "]>1", 127)));
  EXPECT_FALSE(accepts(nested("<a=[", "]>1", 128)));
  EXPECT_TRUE(accepts(nested("[<a=1>", "]", 254)));
  EXPECT_TRUE(accepts(nested("[", "]", 3), 3));
  EXPECT_FALSE(accepts(nested("[", "]", 4), 3));
  EXPECT_TRUE(accepts("1", 0));
  // No option goes beyond what the stack was measured for.
  EXPECT_THROW(parse(std::string(1 << 20, '['), {.max_depth = 1 << 20}), Error);
}

const std::string kSample =
    "<\"k\"=1;x=%-inf>{abc=[1;2u;3.5e1];\"q\\\"\\x41\"=#;\x01\x04zz=\x01\x06"
    "abc;i=\x02\x80\x01;u=\x06\xff\x7f;d=\x03"
    "abcdefgh;t=\x05;f=\x04;g=%false}";

TEST(Parse, RefusesEveryTruncation) {
  const std::string& sample = kSample;
  ASSERT_NO_THROW(parse(sample));
  for (size_t size = 0; size < sample.size(); ++size) {
    // An exact copy, so that address sanitizer sees a read past the end.
    std::vector<char> exact(sample.begin(), sample.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_THROW(parse({exact.data(), exact.size()}), Error) << size;
    const char* p = exact.data();
    EXPECT_NE(skip_value(p, exact.data() + exact.size()), Status::Ok) << size;
  }
}

TEST(Parse, SkipsExactlyOneValue) {
  const std::string values[] = {"1",
                                "-2.5",
                                "%nan",
                                "#",
                                "word",
                                "\"q;\\\"]\"",
                                "[1;[2;{a=#}]]",
                                "<a=[1];>{b=2;}",
                                "\x01\x06;;;",
                                "\x02\x80\x01",
                                "\x05",
                                "\x03"
                                ";;;;;;;;"};
  for (const std::string& value : values) {
    std::string text = " \n" + value + ";rest";
    const char* p = text.data();
    ASSERT_EQ(skip_value(p, text.data() + text.size()), Status::Ok) << value;
    EXPECT_EQ(static_cast<size_t>(p - text.data()), 2 + value.size()) << value;
  }
}

TEST(Node, ComparesAndFinds) {
  Node a = parse("{a=1;b=<x=1>2;a=3}");
  EXPECT_EQ(a.find("a")->as_int64(), 3);
  EXPECT_EQ(a.find("missing"), nullptr);
  EXPECT_FALSE(a == parse("{a=1;b=2;a=3}"));
  EXPECT_FALSE(parse("0.") == parse("-0."));
  EXPECT_TRUE(parse("%nan") == parse("%nan"));
  EXPECT_FALSE(parse("1") == parse("1u"));
  try {
    a.find("b")->as_string();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "expected string, found int64");
    EXPECT_EQ(error.place().byte, 12U);
  }
}

/// Reads a double in the middle of enough bytes for the fast path, and at their very end.
void expect_double(const std::string& text) {
  double expected = std::strtod(text.c_str(), nullptr);
  for (const std::string& padding : {std::string(), std::string(40, ';')}) {
    std::string bytes = text + padding;
    const char* p = bytes.data();
    Number number;
    ASSERT_EQ(read_number(p, bytes.data() + bytes.size(), number), Status::Ok) << text;
    ASSERT_EQ(p, bytes.data() + text.size()) << text;
    ASSERT_EQ(number.kind, NumberKind::Double) << text;
    ASSERT_EQ(std::bit_cast<uint64_t>(number.real), std::bit_cast<uint64_t>(expected)) << text;
  }
}

TEST(Number, DoublesOfEveryLengthAreTheNearest) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200000; ++i) {
    std::string digits = std::to_string(random());
    digits.resize(1 + random() % digits.size());
    digits.insert(random() % digits.size() + 1, ".");
    if (random() % 4 == 0) digits.insert(0, "0.000", random() % 2 == 0 ? 1 : 0);
    size_t second = digits.find('.', digits.find('.') + 1);
    if (second != std::string::npos) digits.erase(second, 1);
    expect_double((random() % 2 == 0 ? "-" : "") + digits);
  }
}

TEST(Number, DoublesInTheMiddleGoToTheEvenOne) {
  std::mt19937_64 random(12);
  for (int i = 0; i < 20000; ++i) {
    // (2k + 1) / 2^(places) below 2^54 / 2^places: the middle, and one digit beside it.
    uint64_t middle = (uint64_t{1} << 53) + 2 * (random() % (uint64_t{1} << 52)) + 1;
    int places = static_cast<int>(random() % 5);
    char text[64];
    uint64_t scale = 1;
    for (int n = 0; n < places; ++n) scale *= 2;
    uint64_t fraction = middle % scale;
    std::string digits;
    for (int n = 0; n < places; ++n) {
      fraction *= 10;
      digits += static_cast<char>('0' + fraction / scale);
      fraction %= scale;
    }
    std::snprintf(text, sizeof(text), "%llu.%s", static_cast<unsigned long long>(middle / scale),
                  digits.c_str());
    expect_double(text);
    expect_double(std::string(text) + "0");
    expect_double(std::string(text) + "1");
    expect_double(std::string(text) + "00000000000000000000001");
  }
}

TEST(Number, IntegersOfEveryLength) {
  for (const std::string& padding : {std::string(), std::string(40, ';')}) {
    auto read = [&padding](const std::string& text) -> std::string {
      std::string bytes = text + padding;
      const char* p = bytes.data();
      Number number;
      Status status = read_number(p, bytes.data() + bytes.size(), number);
      if (status != Status::Ok) return std::string(describe(status));
      EXPECT_EQ(p, bytes.data() + text.size());
      if (number.kind == NumberKind::Uint64) return std::to_string(number.uint64) + "u";
      if (number.kind == NumberKind::Int64) return std::to_string(number.int64);
      return "double";
    };
    std::string range(describe(Status::NumberRange));
    uint64_t power = 1;
    for (int digits = 0; digits < 20; ++digits, power *= 10) {
      for (uint64_t value : {power - 1, power, power + 1, power * 9}) {
        std::string text = std::to_string(value);
        EXPECT_EQ(read(text + "u"), text + "u");
        bool fits = value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        EXPECT_EQ(read(text), fits ? text : range);
        EXPECT_EQ(read("-" + text), fits ? (value == 0 ? "0" : "-" + text) : range);
      }
    }
    EXPECT_EQ(read("18446744073709551615u"), "18446744073709551615u");
    EXPECT_EQ(read("18446744073709551616u"), range);
    EXPECT_EQ(read("99999999999999999999u"), range);
    EXPECT_EQ(read("100000000000000000000u"), range);
    EXPECT_EQ(read("9223372036854775807"), "9223372036854775807");
    EXPECT_EQ(read("9223372036854775808"), range);
    EXPECT_EQ(read("-9223372036854775808"), "-9223372036854775808");
    EXPECT_EQ(read("-9223372036854775809"), range);
    EXPECT_EQ(read("0000000000000000000000000007"), "7");
    EXPECT_EQ(read("+00000000000000000000000018446744073709551615u"), "18446744073709551615u");
    for (const char* wrong :
         {"-", "+", "-5u", "5uu", "5.0.0", "1e", "0x10", "12a", "1.5u", "--1"}) {
      EXPECT_EQ(read(wrong), std::string(describe(Status::BadNumber))) << wrong;
    }
  }
}

TEST(Unescape, ApartAndInPlace) {
  std::mt19937_64 random(13);
  static const char* const kParts[] = {
      "\\n",  "\\\"", "\\x41",   "\\xF", "\\7", "\\q", "a", "plain text of more than sixteen bytes",
      "\\\\", "ж",    "\\u0416", "\\101"};
  static const char* const kValues[] = {"\n", "\"", "A", "\x0F",
                                        "\a", "q",  "a", "plain text of more than sixteen bytes",
                                        "\\", "ж",  "Ж", "A"};
  for (int i = 0; i < 20000; ++i) {
    std::string raw;
    std::string expected;
    for (uint64_t n = random() % 12; n > 0; --n) {
      size_t part = random() % std::size(kParts);
      // A digit after a short escape would belong to it.
      raw += std::string(kParts[part]) + "|";
      expected += std::string(kValues[part]) + "|";
    }
    std::string out(raw.size(), '\0');
    out.resize(unescape(raw, out.data()));
    ASSERT_EQ(out, expected) << raw;
    std::string place = raw;
    place.resize(unescape(place, place.data()));
    ASSERT_EQ(place, expected) << raw;
  }
}

}  // namespace
}  // namespace xwalk::yson
