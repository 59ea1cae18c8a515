#include "xwalk/variant/sorted_json.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "xwalk/variant/fault.h"
#include "xwalk/variant/leaf_types.h"

namespace xwalk::variant {
namespace {

std::string sorted(std::string_view json) {
  yson::Buffer out;
  return write_sorted_json(json, &out) ? std::string(out.view()) : "no JSON";
}

TEST(SortedJson, EqualValuesHaveEqualTexts) {
  EXPECT_EQ(sorted(R"( { "b" : [ 1 , 2 ] , "a":{"d":null,"c":true} } )"),
            R"({"a":{"c":true,"d":null},"b":[1,2]})");
  EXPECT_EQ(sorted(R"({"b":1,"a":2,"b":0})"), R"({"a":2,"b":1,"b":0})");
  EXPECT_EQ(sorted("\"\\u0041\\/\\n\""), sorted("\"A/\\u000a\""));
  EXPECT_EQ(sorted("[]"), "[]");
  EXPECT_EQ(sorted("{}"), "{}");
}

TEST(SortedJson, NumbersHaveOneForm) {
  for (const char* one : {"1.5", "1.50", "15e-1", "0.15E1", "150e-2"})
    EXPECT_EQ(sorted(one), "1.5");
  for (const char* one : {"100", "1e2", "1E+2", "100.0", "1000e-1"}) EXPECT_EQ(sorted(one), "100");
  for (const char* one : {"0", "0.0", "0e5"}) EXPECT_EQ(sorted(one), "0");
  EXPECT_EQ(sorted("-0.0"), "-0");
  EXPECT_EQ(sorted("-0.05"), "-0.05");
  EXPECT_EQ(sorted("1e400"), "1e400");
  EXPECT_EQ(sorted("0.1e401"), "1e400");
  EXPECT_EQ(sorted("1e-400"), "1e-400");
  EXPECT_EQ(sorted("1e99999999999"), "1e99999999999");
  EXPECT_EQ(sorted("12345678901234567890123.5"), "12345678901234567890123.5");
}

TEST(SortedJson, RefusesOtherText) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":}", "nul", "01", "\"\\ud800\"", "1 2"}) {
    EXPECT_EQ(sorted(text), "no JSON") << text;
  }
  const std::string deep = std::string(kMaxDepth, '[') + std::string(kMaxDepth, ']');
  EXPECT_EQ(sorted(deep), deep);
  EXPECT_EQ(sorted("[" + deep + "]"), "no JSON");
}

TEST(LeafTypes, HaveOneText) {
  for (const char* text : {R"("date")", R"j("decimal(38)")j", R"(["timestamp_nanos_ntz"])", "{}",
                           R"({"a":"uuid","b":[{"c":"float"}]})"}) {
    const auto types = parse_leaf_types(text);
    ASSERT_TRUE(types) << text;
    EXPECT_EQ(to_text(*types), text);
  }
  const std::string deep = std::string(5000, '[') + "\"date\"" + std::string(5000, ']');
  for (const std::string& text :
       {std::string(), std::string("1"), std::string(R"("day")"), std::string(R"j("decimal(39)")j"),
        std::string(R"j("decimal(1")j"), std::string("[]"), std::string(R"({"a":1})"), deep}) {
    EXPECT_FALSE(parse_leaf_types(text)) << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace xwalk::variant
