#include "xwalk/skiff/type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xwalk/base/error.h"

namespace xwalk::skiff {
namespace {

TEST(WireType, NamesGoBothWays) {
  for (const WireRow& row : kWireRows) EXPECT_EQ(wire_from_name(wire_name(row.wire)), row.wire);
  EXPECT_EQ(wire_from_name("Int64"), std::nullopt);
  EXPECT_EQ(wire_from_name("string8"), std::nullopt);
}

TEST(Type, ShortFormGoesBothWays) {
  const char* texts[] = {
      "int64",
      "nothing",
      "tuple<>",
      "variant8<nothing;int64>",
      "tuple<'a':int64;'b c':variant16<string32;yson32>>",
      "'root':tuple<'it\\'s':repeated_variant8<tuple<string32;int256>>>",
      "repeated_variant16<'x':int64;'\\\\':boolean;'\\x01':uint128>",
  };
  for (const char* text : texts) EXPECT_EQ(to_string(parse_short(text)), text);
}

TEST(Type, ShortFormOfTheLivingSystemIsRead) {
  EXPECT_EQ(to_string(parse_short(" variant8<nothing;int64;> ")), "variant8<nothing;int64>");
  EXPECT_EQ(to_string(parse_short("tuple< a : int64; $key_switch:boolean >")),
            "tuple<'a':int64;'$key_switch':boolean>");
}

TEST(Type, BadShortFormsSayWhere) {
  struct Case {
    const char* text;
    uint64_t column;
  };
  for (const Case& c :
       {Case{"", 1}, Case{"int65", 1}, Case{"tuple<int64", 12}, Case{"tuple<int64;;int8>", 13},
        Case{"variant8<>", 1}, Case{"int64 x", 7}, Case{"'a", 1}, Case{"tuple<'a\\q':int8>", 9}}) {
    try {
      parse_short(c.text);
      ADD_FAILURE() << c.text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.place().column, c.column) << c.text << ": " << error.what();
    }
  }
}

TEST(Type, TagsLimitChildren) {
  auto many = [](size_t count) { return std::vector<Type>(count, Type(WireType::Int8)); };
  EXPECT_NO_THROW(Type(WireType::Variant8, many(256)));
  EXPECT_THROW(Type(WireType::Variant8, many(257)), Error);
  EXPECT_NO_THROW(Type(WireType::RepeatedVariant8, many(255)));
  EXPECT_THROW(Type(WireType::RepeatedVariant8, many(256)), Error);
  EXPECT_NO_THROW(Type(WireType::RepeatedVariant16, many(65535)));
  EXPECT_THROW(Type(WireType::RepeatedVariant16, many(65536)), Error);
  EXPECT_NO_THROW(Type(WireType::Tuple, many(70000)));
  EXPECT_THROW(Type(WireType::Variant16, many(0)), Error);
}

TEST(Type, DeepAndHugeTreesAreRefused) {
  Type deep(WireType::Int64);
  EXPECT_THROW(
      {
        for (int i = 0; i < 300; ++i) deep = Type(WireType::RepeatedVariant8, {deep});
      },
      Error);
  Type wide(WireType::Int64);
  EXPECT_THROW(
      {
        for (int i = 0; i < 40; ++i) wide = Type(WireType::Tuple, {wide, wide});
      },
      Error);
}

TEST(Type, NamesDoNotAffectTheEncoding) {
  Type a = parse_short("tuple<'a':int64>");
  Type b = parse_short("tuple<'b':int64>");
  EXPECT_NE(a, b);
  EXPECT_TRUE(same_encoding(a, b));
  EXPECT_FALSE(same_encoding(a, parse_short("tuple<'a':uint64>")));
}

}  // namespace
}  // namespace xwalk::skiff
