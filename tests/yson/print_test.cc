#include "xwalk/yson/print.h"

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <random>
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

/// The rule of escapes, byte by byte: what the writer does by blocks.
std::string plainly_escaped(std::string_view bytes) {
  std::string text = "\"";
  char escape[8];
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const int next = i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : 'z';
    if (byte == '"' || byte == '\\') {
      text += {'\\', bytes[i]};
    } else if (byte >= ' ' && byte < 0x7F) {
      text += bytes[i];
    } else if (byte == '\n' || byte == '\r' || byte == '\t') {
      text += byte == '\n' ? "\\n" : byte == '\r' ? "\\r" : "\\t";
    } else {
      const bool lengthened = byte < 8 ? next >= '0' && next <= '7' : std::isxdigit(next) != 0;
      const char* form = lengthened ? "\\%03o" : byte < 8 ? "\\%o" : "\\x%02X";
      std::snprintf(escape, sizeof(escape), form, byte);
      text += escape;
    }
  }
  return text + '"';
}

TEST(Writer, EscapesBlocksAsByteByByte) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 50000; ++i) {
    // The bytes after the string must not matter, at any end of the readable bytes.
    std::string field(random() % 70, 'a');
    for (char& c : field) {
      const uint64_t choice = random() % (i % 3 == 0 ? 4 : 40);
      c = choice == 0 ? static_cast<char>(random()) : static_cast<char>('a' + random() % 26);
      if (choice == 1) c = "\"\\\n07\x7F\xFF"[random() % 7];
    }
    const size_t begin = field.empty() ? 0 : random() % field.size();
    const size_t size = random() % (field.size() - begin + 1);
    const std::string_view bytes = std::string_view(field).substr(begin, size);
    const size_t more = random() % (field.size() - begin - size + 1);
    std::string out(max_text_string_bytes(size), '\0');
    const char* readable = bytes.data() + size + more;
    out.resize(static_cast<size_t>(write_text_string(out.data(), bytes, readable) - out.data()));
    ASSERT_EQ(out, plainly_escaped(bytes));
    out.assign(max_binary_string_bytes(size) + 16, '\0');
    out.resize(static_cast<size_t>(write_binary_string(out.data(), bytes, readable) - out.data()));
    ASSERT_EQ(out, print(Node::string(std::string(bytes)), Format::Binary));
  }
}

TEST(Writer, AppendsLongStringsInParts) {
  constexpr size_t kPart = size_t{1} << 20;
  std::mt19937_64 random(12);
  for (const std::string_view kinds : {"text", "random", "zeros and digits", "quotes"}) {
    for (const size_t size : {size_t{0}, kPart - 1, kPart, kPart + 1, 3 * kPart + 7}) {
      std::string bytes(size, 'a');
      for (char& c : bytes) {
        if (kinds == "random") c = static_cast<char>(random());
        if (kinds == "zeros and digits")
          c = "\0"
              "1\xFF"
              "a"[random() % 4];
        if (kinds == "quotes") c = '"';
      }
      for (const bool drained : {false, true}) {
        std::string text;
        std::string binary;
        size_t longest = 0;
        for (std::string* to : {&text, &binary}) {
          const Buffer::Drain drain = [&](std::string_view part) {
            *to += part;
            longest = std::max(longest, part.size());
          };
          Buffer buffer = drained ? Buffer(&drain) : Buffer();
          to == &text ? append_text_string(bytes, &buffer) : append_binary_string(bytes, &buffer);
          buffer.drain_all();
          *to += buffer.view();
        }
        std::string whole(max_text_string_bytes(size), '\0');
        whole.resize(static_cast<size_t>(write_text_string(whole.data(), bytes) - whole.data()));
        ASSERT_TRUE(text == whole) << kinds << ", " << size;
        ASSERT_TRUE(binary == print(Node::string(bytes), Format::Binary)) << kinds << ", " << size;
        EXPECT_LE(longest, 5 * kPart) << kinds << ", " << size;
      }
    }
  }
}

/// The layout of doubles from the digits of the standard library: what the writer does in
/// registers.
std::string plainly_printed(double value) {
  if (std::isnan(value)) return "%nan";
  if (std::isinf(value)) return value < 0 ? "%-inf" : "%inf";
  char buffer[64];
  const std::string scientific(
      buffer,
      std::to_chars(buffer, std::end(buffer), std::abs(value), std::chars_format::scientific).ptr);
  const size_t mark = scientific.find('e');
  std::string digits = scientific.substr(0, mark);
  std::erase(digits, '.');
  const int exponent = std::stoi(scientific.substr(mark + 1));
  const std::string sign = std::signbit(value) ? "-" : "";
  if (exponent > 20 || exponent < -10) {
    if (digits.size() > 1) digits.insert(1, ".");
    return sign + digits + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
  }
  if (exponent < 0)
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<size_t>(exponent) + 1;
  if (digits.size() < whole) digits.resize(whole, '0');
  return sign + digits.insert(whole, ".");
}

TEST(Writer, LaysOutDoublesAsPlainly) {
  std::mt19937_64 random(12);
  char buffer[kMaxScalarBytes];
  const auto check = [&buffer](double value) {
    ASSERT_EQ(std::string(buffer, write_text_double(buffer, value)), plainly_printed(value));
  };
  for (uint64_t exponent = 0; exponent < 2048; ++exponent) {
    for (uint64_t near : {uint64_t{0}, uint64_t{1}, uint64_t{2}, ~uint64_t{0}}) {
      check(std::bit_cast<double>((exponent << 52) + near));
      check(-std::bit_cast<double>((exponent << 52) + near));
    }
  }
  for (int exponent = -25; exponent < 25; ++exponent) {
    const double power = std::pow(10.0, exponent);
    for (int i = 1; i < 200; ++i) check(power * i);
    for (int i = 0; i < 2000; ++i) {
      check(power * static_cast<double>(random() % 1'000'000));
      check(-power * static_cast<double>(random() >> 11));
    }
  }
  for (int i = 0; i < 200000; ++i) check(std::bit_cast<double>(random()));
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
