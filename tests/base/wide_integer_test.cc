#include "xwalk/base/wide_integer.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

struct TextCase {
  const char* text;
  bool fits128;
};

TEST(WideInteger, TextGoesBothWays) {
  const TextCase cases[] = {
      {"0", true},
      {"-1", true},
      {"9999999999999999999", true},
      {"10000000000000000000", true},
      {"18446744073709551616", true},
      {"-18446744073709551617", true},
      {"99999999999999999999999999999999999999", true},
      {"170141183460469231731687303715884105727", true},
      {"-170141183460469231731687303715884105728", true},
      {"170141183460469231731687303715884105728", false},
      {"-170141183460469231731687303715884105729", false},
      {"9999999999999999999999999999999999999999999999999999999999999999999999999999", false},
      {"57896044618658097711785492504343953926634992332820282019728792003956564819967", false},
      {"-57896044618658097711785492504343953926634992332820282019728792003956564819968", false},
  };
  for (const TextCase& c : cases) {
    Int256 wide;
    ASSERT_TRUE(parse_decimal_text(c.text, &wide)) << c.text;
    EXPECT_EQ(to_decimal_text(wide), c.text);
    Int128 narrow = 0;
    EXPECT_EQ(parse_decimal_text(c.text, &narrow), c.fits128) << c.text;
    if (c.fits128) {
      EXPECT_EQ(to_decimal_text(narrow), c.text);
    }
  }
}

TEST(WideInteger, RefusesTextThatIsNotANumberOrTooLarge) {
  for (const char* text :
       {"", "-", "+1", "1 ", "1.0", "--1", "0x1",
        "57896044618658097711785492504343953926634992332820282019728792003956564819968",
        "-57896044618658097711785492504343953926634992332820282019728792003956564819969",
        "999999999999999999999999999999999999999999999999999999999999999999999999999999999"}) {
    Int256 value;
    EXPECT_FALSE(parse_decimal_text(text, &value)) << text;
  }
}

TEST(WideInteger, ScaledText) {
  struct Case {
    Int256 value;
    int scale;
    const char* text;
  };
  for (const Case& c : std::vector<Case>{{Int256(0), 0, "0"},
                                         {Int256(0), 2, "0.00"},
                                         {Int256(5), 2, "0.05"},
                                         {Int256(-5), 2, "-0.05"},
                                         {Int256(-314), 2, "-3.14"},
                                         {Int256(12), -3, "12000"},
                                         {Int256(0), -3, "0"}}) {
    std::string buffer(scaled_text_size(c.scale), '\0');
    EXPECT_EQ(std::string(buffer.data(), write_scaled_text(c.value, c.scale, buffer.data())),
              c.text);
    EXPECT_EQ(
        std::string(buffer.data(), write_scaled_text(c.value.low128(), c.scale, buffer.data())),
        c.text);
  }
}

TEST(WideInteger, PowersOfTenReportOverflowAndRemainders) {
  Int128 value = 17;
  EXPECT_TRUE(multiply_by_power_of_ten(&value, 37));
  EXPECT_EQ(to_decimal_text(value), "170000000000000000000000000000000000000");
  EXPECT_FALSE(multiply_by_power_of_ten(&value, 1));
  Int256 wide(-5);
  EXPECT_TRUE(multiply_by_power_of_ten(&wide, 76));
  EXPECT_EQ(to_decimal_text(wide), "-5" + std::string(76, '0'));
  Int256 more = wide;
  EXPECT_FALSE(multiply_by_power_of_ten(&more, 1));

  struct Case {
    int64_t value;
    int exponent;
    int64_t quotient;
    bool exact;
    int half;
  };
  for (const Case& c : std::vector<Case>{{1500, 2, 15, true, -1},
                                         {1549, 2, 15, false, -1},
                                         {1550, 2, 15, false, 0},
                                         {-1551, 2, -15, false, 1},
                                         {7, 0, 7, true, -1},
                                         {7, 60, 0, false, -1}}) {
    Int128 narrow = c.value;
    PowerOfTenRemainder a = divide_by_power_of_ten(&narrow, c.exponent);
    Int256 broad(c.value);
    PowerOfTenRemainder b = divide_by_power_of_ten(&broad, c.exponent);
    EXPECT_EQ(broad, Int256(c.quotient));
    EXPECT_TRUE(narrow == c.quotient);
    EXPECT_EQ(a.exact, c.exact);
    EXPECT_EQ(b.exact, c.exact);
    EXPECT_EQ(a.half, c.half);
    EXPECT_EQ(b.half, c.half);
  }
}

TEST(WideInteger, BigEndianBytesOfAnySize) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    auto number = static_cast<Int128>((static_cast<Uint128>(random()) << 64) | random());
    number >>= random() % 128;
    const size_t fewest = needed_bytes(number);
    EXPECT_EQ(needed_bytes(Int256(number)), fewest);
    for (size_t size = fewest; size <= 40; ++size) {
      char bytes[40];
      char wide_bytes[40];
      store_big_endian(number, bytes, size);
      store_big_endian(Int256(number), wide_bytes, size);
      EXPECT_EQ(std::string_view(bytes, size), std::string_view(wide_bytes, size));
      Int128 narrow = 0;
      Int256 wide;
      EXPECT_TRUE(load_big_endian({bytes, size}, &narrow) && narrow == number);
      EXPECT_TRUE(load_big_endian({bytes, size}, &wide) && wide == Int256(number));
      if (size > 17) continue;
      // One byte less than needed is another number.
      if (size != fewest || size == 1) continue;
      store_big_endian(number, bytes, size - 1);
      EXPECT_TRUE(load_big_endian({bytes, size - 1}, &narrow) && narrow != number);
    }
  }
  Int128 narrow = 0;
  EXPECT_FALSE(load_big_endian("", &narrow));
  EXPECT_FALSE(load_big_endian(std::string(1, '\1') + std::string(16, '\0'), &narrow));
  EXPECT_FALSE(load_big_endian(std::string(1, '\0') + std::string(16, '\xff'), &narrow));
  EXPECT_FALSE(load_big_endian(std::string(1, '\xff') + std::string(16, '\0'), &narrow));
  EXPECT_TRUE(load_big_endian(std::string(17, '\xff'), &narrow) && narrow == -1);
}

TEST(WideInteger, BytesGoBothWaysAndOrderAgreesWith128Bits) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    auto narrow = static_cast<Int128>((static_cast<Uint128>(random()) << 64) | random());
    narrow >>= random() % 127;
    auto other = static_cast<Int128>((static_cast<Uint128>(random()) << 64) | random());
    other >>= random() % 127;
    Int256 wide(narrow);
    char bytes[32];
    store_little_endian(narrow, bytes);
    EXPECT_TRUE(load_little_endian_128(bytes) == narrow);
    store_big_endian(narrow, bytes);
    EXPECT_TRUE(load_big_endian_128(bytes) == narrow);
    Int256 loaded;
    EXPECT_TRUE(load_big_endian({bytes, 16}, &loaded));
    EXPECT_EQ(loaded, wide);
    store_little_endian(wide, bytes);
    EXPECT_EQ(load_little_endian_256(bytes), wide);
    store_big_endian(wide, bytes);
    EXPECT_EQ(load_big_endian_256(bytes), wide);
    EXPECT_EQ(wide < Int256(other), narrow < other);
    EXPECT_EQ(wide == Int256(other), narrow == other);
    EXPECT_EQ(-(-wide), wide);
    EXPECT_EQ(wide + (-wide), Int256(0));
    EXPECT_EQ(to_decimal_text(wide), to_decimal_text(narrow));
    EXPECT_TRUE(fits_digits(narrow, 38) == fits_digits(wide, 38));
  }
}

}  // namespace
}  // namespace xwalk
