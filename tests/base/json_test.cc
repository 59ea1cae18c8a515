#include "xwalk/base/json.h"

#include <string>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

TEST(IsValidJson, IsTheGrammarAndNoMore) {
  const std::string deep = std::string(1100, '[') + std::string(1100, ']');
  const std::string valid[] = {"0",
                               "-0.5e-7",
                               "1e400",
                               "-123456789012345678901234567890",
                               "true",
                               "false",
                               "null",
                               "\"\"",
                               R"("\ud800")",
                               R"("\udc00\ud800\uDBFF")",
                               R"("\"\\\/\b\f\n\r\t\u0000")",
                               "[]",
                               "{}",
                               " [ ] ",
                               "\t{ }\r\n",
                               R"({"a":1,"a":[{},[],{"b":null}]})",
                               "[1,[2,[3]],4]",
                               R"({"x":1e400})",
                               deep,
                               "\"\xc3\xa9\x7f\""};
  for (const std::string& text : valid) EXPECT_TRUE(is_valid_json(text)) << text;
  // The same within what simdjson does not take: its own grammar is not asked alone.
  const std::string invalid[] = {"",
                                 " ",
                                 "01",
                                 "1.",
                                 ".5",
                                 "+1",
                                 "1e",
                                 "1e+",
                                 "-",
                                 "nan",
                                 "Infinity",
                                 "tru",
                                 "nulll",
                                 "\"",
                                 "\"\\x\"",
                                 "\"\\u12g4\"",
                                 "\"\n\"",
                                 "[",
                                 "]",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "{",
                                 R"({"a"})",
                                 R"({"a":})",
                                 R"({"a":1,})",
                                 R"({a:1})",
                                 R"({"a" 1})",
                                 "[}",
                                 "{]",
                                 "1 2",
                                 "[1]]",
                                 "\"\xff\"",
                                 "\xef\xbb\xbf"
                                 "1"};
  for (const std::string& text : invalid) {
    EXPECT_FALSE(is_valid_json(text)) << text;
    EXPECT_FALSE(is_valid_json("[1e400," + text + "]")) << text;
    EXPECT_FALSE(is_valid_json("{\"\\ud800\":" + text + "}")) << text;
  }
  EXPECT_FALSE(is_valid_json(deep.substr(1)));
  EXPECT_FALSE(is_valid_json(deep.substr(0, deep.size() - 1)));
}

TEST(JsonFault, IsTheByteThatIsWrong) {
  struct Case {
    std::string text;
    size_t fault;
  };
  const Case cases[] = {
      {"[1,x]", 3},       {"[\"a\\q\"]", 4}, {"[\"a\\é\"]", 4}, {"\"a\nb\"", 2},
      {"\"\\u12g4\"", 5}, {"\"a\\", 3},      {"[1", 2},         {"\"a\xff\"", 2},
  };
  for (const Case& one : cases) EXPECT_EQ(json_fault(one.text), one.fault) << one.text;
}

TEST(CheckJsonDocument, CountsWhatIsOpenOutsideStrings) {
  const std::string most(kJsonDepth, '[');
  const std::string strings = "[\"" + most + "[\\\"[\"," + most.substr(1);
  for (const std::string& text : {most, "{}" + most, "]" + most, strings, std::string("\"[")}) {
    EXPECT_NO_THROW(check_json_document(text, ErrorCode::Input)) << text.substr(0, 20);
  }
  const std::string zero("[1]\0garbage", 11);
  for (const std::string& text : {most + "[", most + "{", strings + "[", zero}) {
    try {
      check_json_document(text, ErrorCode::Usage);
      FAIL() << text.substr(0, 20);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Usage);
    }
  }
}

}  // namespace
}  // namespace xwalk
