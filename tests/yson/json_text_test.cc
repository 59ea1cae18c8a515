#include "xwalk/yson/json_text.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/yson/random_node.h"
#include "xwalk/base/json.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::yson {
namespace {

std::string written(std::string_view yson, JsonStyle style) {
  Buffer out;
  const JsonFault fault = write_json(yson, style, &out);
  return fault == JsonFault::None ? std::string(out.view()) : std::string(describe(fault));
}

TEST(JsonText, WritesValuesAsTheyAre) {
  struct Case {
    std::string yson;
    std::string plain;
    std::string living;
  };
  const Case cases[] = {
      {"#", "null", "null"},
      {"%true", "true", "true"},
      {"-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
      {"18446744073709551615u", "18446744073709551615", "18446744073709551615"},
      {"5u", "5", R"({"$type":"uint64","$value":5})"},
      {"1.", "1.0", "1.0"},
      {"-0.", "-0.0", "-0.0"},
      {"1e300", "1e+300", "1e+300"},
      {"%nan", "nan or an infinity", R"({"$type":"double","$value":"nan"})"},
      {"[%-inf]", "nan or an infinity", R"([{"$type":"double","$value":"-inf"}])"},
      {"[1;[];{};]", "[1,[],{}]", "[1,[],{}]"},
      {R"({a=1;a=2;"$b"=3})", R"({"a":1,"a":2,"$b":3})", R"({"a":1,"a":2,"$$b":3})"},
      {"<>x", R"("x")", R"("x")"},
      {R"(<x=1;"$y"=<z=#>[2u]>{a=#})", "a value with attributes",
       R"({"$attributes":{"x":1,"$$y":{"$attributes":{"z":null},)"
       R"("$value":[{"$type":"uint64","$value":2}]}},"$value":{"a":null}})"},
      {"<x=1>5u", "a value with attributes",
       R"({"$attributes":{"x":1},"$type":"uint64","$value":5})"},
      {"\"a\\n\\\"\\\\\\b\\f\\r\\t\\x01\\x1f\x7f\"",
       "\"a\\n\\\"\\\\\\b\\f\\r\\t\\u0001\\u001f\x7f\"",
       "\"a\\n\\\"\\\\\\b\\f\\r\\t\\u0001\\u001f\x7f\""},
      {"\"\xc3\xa9\"", "\"\xc3\xa9\"", "\"\xc3\x83\xc2\xa9\""},
      {"{\"\\xff\"=1}", "a string that is not UTF-8", "{\"\xc3\xbf\":1}"},
      {"[1", "no YSON value", "no YSON value"},
      {"1 2", "no YSON value", "no YSON value"},
      {"", "no YSON value", "no YSON value"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(written(c.yson, JsonStyle::Plain), c.plain) << c.yson;
    EXPECT_EQ(written(c.yson, JsonStyle::Living), c.living) << c.yson;
  }
}

TEST(JsonText, LongStringsAreWhole) {
  for (const size_t size : {15, 16, 17, 1023, 1024, 1025, 5000}) {
    std::string text;
    while (text.size() < size) text += text.size() % 7 == 0 ? "\xd0\x96" : "a";
    text += '\n';
    const std::string yson = print(Node::string(text), Format::Binary);
    EXPECT_EQ(written(yson, JsonStyle::Plain), to_json(Node::string(text)));
    EXPECT_EQ(written(yson, JsonStyle::Living), to_json(Node::string(text), {.encode_utf8 = true}));
  }
}

TEST(JsonText, LivingFormComesBackEqual) {
  testing::RandomNode random(7);
  for (int i = 0; i < 3000; ++i) {
    const Node node = random();
    const Format format = i % 2 == 0 ? Format::Binary : Format::Text;
    const std::string json = written(print(node, format), JsonStyle::Living);
    ASSERT_TRUE(is_valid_json(json)) << json;
    ASSERT_TRUE(from_json(json, {.encode_utf8 = true}) == node) << print(node) << "\n" << json;
  }
}

}  // namespace
}  // namespace xwalk::yson
