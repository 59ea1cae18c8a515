#include "xwalk/yson/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/yson/random_node.h"
#include "xwalk/base/error.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::yson {
namespace {

TEST(Json, WritesTheLivingForm) {
  struct Case {
    const char* yson;
    const char* json;
  };
  const Case cases[] = {
      {"#", "null"},
      {"%true", "true"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551615u", "18446744073709551615"},
      {"5u", R"({"$type":"uint64","$value":5})"},
      {"1.", "1.0"},
      {"1e21", "1e+21"},
      {"-0.", "-0.0"},
      {"%nan", R"({"$type":"double","$value":"nan"})"},
      {"%-inf", R"({"$type":"double","$value":"-inf"})"},
      {"\"a\\n\\\"\\u00e9\"", "\"a\\n\\\"\xc3\xa9\""},
      {"[1;[];{}]", "[1,[],{}]"},
      {"{a=1;a=2;\"$b\"=3}", R"({"a":1,"a":2,"$$b":3})"},
      {"<x=1;\"$y\"=2>{a=#}", R"({"$attributes":{"x":1,"$$y":2},"$value":{"a":null}})"},
      {"<x=1>5u", R"({"$attributes":{"x":1},"$type":"uint64","$value":5})"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(to_json(parse(c.yson)), c.json);
    EXPECT_TRUE(from_json(c.json) == parse(c.yson)) << c.json;
  }
}

TEST(Json, IndentsAndAnnotates) {
  Node node = parse("{a=[1;2u];b={};c=x}");
  EXPECT_EQ(
      to_json(node, {.indent = 2}),
      "{\n  \"a\": [\n    1,\n    {\n      \"$type\": \"uint64\",\n      \"$value\": 2\n    }\n"
      "  ],\n  \"b\": {},\n  \"c\": \"x\"\n}");
  EXPECT_EQ(to_json(parse("[1;x]"), {.annotate_types = true}),
            R"([{"$type":"int64","$value":1},{"$type":"string","$value":"x"}])");
}

TEST(Json, ComesBackEqual) {
  testing::RandomNode random(99);
  for (int i = 0; i < 2000; ++i) {
    Node node = random();
    for (bool annotate : {false, true}) {
      JsonOptions options{.indent = i % 3, .annotate_types = annotate, .encode_utf8 = true};
      std::string json = to_json(node, options);
      ASSERT_TRUE(from_json(json, options) == node) << print(node) << "\n" << json;
    }
  }
}

TEST(Json, Refuses) {
  EXPECT_THROW(to_json(Node::string("\xff")), Error);
  const char* texts[] = {"",
                         "{",
                         "[1,]",
                         "{\"a\":1}}",
                         "18446744073709551616",
                         "-9223372036854775809",
                         R"({"$other":1})",
                         R"({"$value":1,"x":2})",
                         R"({"$type":"uint64","$value":-1})",
                         R"({"$type":"date","$value":1})",
                         R"({"$type":"double","$value":"x"})",
                         R"({"$attributes":[],"$value":1})",
                         R"({"$attributes":{"a":1},"$value":{"$attributes":{"b":1},"$value":1}})",
                         "\"\xff\""};
  for (const char* text : texts) EXPECT_THROW(from_json(text), Error) << text;
  EXPECT_THROW(from_json("\"\xc4\x80\"", {.encode_utf8 = true}), Error);
  EXPECT_THROW(from_json(std::string(100000, '[')), Error);
  EXPECT_THROW(from_json(std::string(256, '[') + std::string(256, ']')), Error);
  EXPECT_NO_THROW(from_json(std::string(255, '[') + std::string(255, ']')));
  try {
    from_json("{\n  \"a\": oops}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 2U);
  }
}

}  // namespace
}  // namespace xwalk::yson
