#include "xwalk/lance/json_text.h"

#include <string_view>

#include <gtest/gtest.h>

namespace xwalk::lance {
namespace {

TEST(JsonText, IsKeptByValue) {
  for (const char* text :
       {"null", "true", R"({"b":1,"a":[2]})", "18446744073709551615", "-9223372036854775808", "0.1",
        "1.10", "1E5", "-0.0", "0e10", "5e-324", R"({"a":{"k":1},"b":{"k":2}})", R"("A")"}) {
    EXPECT_TRUE(keeps_json_text(text)) << text;
  }
}

TEST(JsonText, IsNotKeptWhereLanceChangesOrRefusesIt) {
  for (const char* text :
       {"", "nope", "-0", "NaN", R"({"a":1,"a":2})", "1e400", "1e-400", "18446744073709551616",
        "-9223372036854775809", "3.141592653589793238462643", R"("\ud800")", "[1,]", "1 2"}) {
    EXPECT_FALSE(keeps_json_text(text)) << text;
  }
}

TEST(JsonText, DoesNotEndAtAZeroByte) {
  EXPECT_FALSE(keeps_json_text(std::string_view("1\0", 2)));
  EXPECT_FALSE(keeps_json_text(std::string_view("[1]\0 ignored text", 17)));
}

}  // namespace
}  // namespace xwalk::lance
