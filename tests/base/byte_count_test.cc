#include "xwalk/base/byte_count.h"

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(ByteCount, HasAUnitOrNone) {
  EXPECT_EQ(parse_byte_count("1"), 1);
  EXPECT_EQ(parse_byte_count("8589934592"), int64_t{8} << 30);
  EXPECT_EQ(parse_byte_count("7B"), 7);
  for (const char* text : {"2k", "2K", "2kB", "2KB"}) EXPECT_EQ(parse_byte_count(text), 2000);
  for (const char* text : {"2Ki", "2KiB", "2kiB"}) EXPECT_EQ(parse_byte_count(text), 2048);
  EXPECT_EQ(parse_byte_count("8G"), 8'000'000'000);
  EXPECT_EQ(parse_byte_count("512MiB"), 512 << 20);
  EXPECT_EQ(parse_byte_count("3TiB"), int64_t{3} << 40);
  EXPECT_EQ(parse_byte_count("9223372036854775807"), INT64_MAX);
}

TEST(ByteCount, OtherTextsAreNone) {
  for (const char* text : {"",
                           "0",
                           "-1",
                           "+1",
                           " 1",
                           "1 ",
                           "1 G",
                           "G",
                           "i",
                           "1i",
                           "1iB",
                           "1BB",
                           "1g",
                           "1m",
                           "1GG",
                           "1.5G",
                           "1e9",
                           "0x10",
                           "1GiBB",
                           "9223372036854775808",
                           "9223372036854775807k",
                           "8388608TiB",
                           "99999999999999999999"}) {
    EXPECT_EQ(parse_byte_count(text), std::nullopt) << text;
  }
}

TEST(Count, HasUnitsOfThousands) {
  EXPECT_EQ(parse_count("0"), 0);
  EXPECT_EQ(parse_count("-3"), -3);
  EXPECT_EQ(parse_count("12"), 12);
  EXPECT_EQ(parse_count("10k"), 10'000);
  EXPECT_EQ(parse_count("5M"), 5'000'000);
  EXPECT_EQ(parse_count("2G"), 2'000'000'000);
  EXPECT_EQ(parse_count("9223372036854775807"), INT64_MAX);
  for (const char* text : {"", " 1", "1 ", "1.5", "1e3", "k", "1kB", "1Ki", "1T", "0x1", "+1",
                           "9223372036854775808", "9223372036854775807k"}) {
    EXPECT_EQ(parse_count(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace xwalk
