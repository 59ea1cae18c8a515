#include "xwalk/yson/print.h"

#include <charconv>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tests/yson/random_node.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/writer.h"

namespace xwalk::yson {
namespace {

TEST(Print, PrettyIndentsByFour) {
  EXPECT_EQ(print(parse("{a=[1;{};[]];b=<x={y=1}>#}"), Format::Pretty),
            "{\n"
            "    \"a\" = [\n"
            "        1;\n"
            "        {};\n"
            "        [];\n"
            "    ];\n"
            "    \"b\" = <\n"
            "        \"x\" = {\n"
            "            \"y\" = 1;\n"
            "        };\n"
            "    > #;\n"
            "}");
}

TEST(Print, EndsFragmentItems) {
  std::vector<Node> items = parse_list_fragment("1;{a=1}");
  EXPECT_EQ(print_list_fragment(items, Format::Text), "1;\n{\"a\"=1;};\n");
  EXPECT_EQ(print_list_fragment(items, Format::Pretty), "1;\n{\n    \"a\" = 1;\n};\n");
  EXPECT_EQ(print_list_fragment(items, Format::Binary),
            "\x02\x02;{\x01\x02"
            "a=\x02\x02;};");
  Node map = parse("{a={b=1};c=2}");
  EXPECT_EQ(print_map_fragment(map, Format::Text), "\"a\"={\"b\"=1;};\n\"c\"=2;\n");
  EXPECT_EQ(print_map_fragment(map, Format::Pretty), "\"a\" = {\n    \"b\" = 1;\n};\n\"c\" = 2;\n");
}

TEST(Print, ParsesBackEqual) {
  testing::RandomNode random(20261121);
  for (int i = 0; i < 3000; ++i) {
    Node node = random();
    for (Format format : {Format::Text, Format::Pretty, Format::Binary}) {
      std::string printed = print(node, format);
      Node back = parse(printed);
      ASSERT_TRUE(back == node) << print(node) << "\n" << print(back);
      ASSERT_EQ(print(back, format), printed);
      const char* p = printed.data();
      ASSERT_EQ(skip_value(p, printed.data() + printed.size()), Status::Ok);
      ASSERT_EQ(p, printed.data() + printed.size());
    }
    std::vector<Node> items = {node, random(), random()};
    for (Format format : {Format::Text, Format::Pretty, Format::Binary}) {
      ASSERT_TRUE(parse_list_fragment(print_list_fragment(items, format)) == items);
    }
  }
}

TEST(Writer, WritesDigitsOfEveryLength) {
  char buffer[kMaxScalarBytes];
  auto check = [&buffer](uint64_t value) {
    EXPECT_EQ(std::string(buffer, write_digits(buffer, value)), std::to_string(value));
    auto negative = static_cast<int64_t>(~value + 1);
    EXPECT_EQ(std::string(buffer, write_text_int64(buffer, negative)), std::to_string(negative));
  };
  uint64_t power = 1;
  for (int digits = 0; digits < 20; ++digits, power *= 10) {
    check(power - 1);
    check(power);
    check(power + 1);
  }
  for (int bit = 0; bit < 64; ++bit) {
    check(uint64_t{1} << bit);
    check((uint64_t{1} << bit) - 1);
  }
  check(std::numeric_limits<uint64_t>::max());
}

TEST(Writer, WritesTheShortestDouble) {
  testing::RandomNode random(7);
  char buffer[kMaxScalarBytes];
  for (int i = 0; i < 100000; ++i) {
    double value = random.real();
    std::string text(buffer, write_text_double(buffer, value));
    ASSERT_LE(text.size(), kMaxScalarBytes);
    ASSERT_TRUE(Node::real(value) == parse(text)) << text;
    if (!std::isfinite(value)) continue;
    // No text of fewer digits gives the value back: to_chars is the second opinion.
    char shortest[64];
    const char* end =
        std::to_chars(shortest, shortest + sizeof(shortest), value, std::chars_format::scientific)
            .ptr;
    auto count = [](std::string_view digits) {
      std::string kept;
      for (char c : digits.substr(0, digits.find('e'))) {
        if (c >= '0' && c <= '9') kept += c;
      }
      kept.erase(0, std::min(kept.find_first_not_of('0'), kept.size()));
      kept.erase(kept.find_last_not_of('0') + 1);
      return kept;
    };
    ASSERT_EQ(count(text), count({shortest, static_cast<size_t>(end - shortest)}));
  }
}

TEST(Writer, EscapesWhereverTheByteStands) {
  // Clean runs around each byte, so that every position in a vector register is met.
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t before : {0, 1, 7, 15, 16, 17, 31, 40}) {
      for (std::string_view after : {"", "0", "7", "8", "g", "a234567890123456789"}) {
        std::string text = std::string(before, 'z') + static_cast<char>(byte) + std::string(after);
        std::string printed = print(Node::string(text));
        ASSERT_EQ(parse(printed).as_string(), text);
        for (char c : printed) ASSERT_TRUE(c >= ' ' && c < 0x7F);
      }
    }
  }
}

TEST(Buffer, GrowsAndKeepsBytes) {
  Buffer buffer;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    std::string word = std::to_string(i);
    buffer.append(word);
    buffer.append(';');
    expected += word + ";";
  }
  EXPECT_EQ(buffer.view(), expected);
  Buffer moved = std::move(buffer);
  moved.truncate(2);
  EXPECT_EQ(moved.view(), "0;");
  moved.clear();
  EXPECT_TRUE(moved.empty());
}

}  // namespace
}  // namespace xwalk::yson
