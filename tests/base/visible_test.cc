#include "xwalk/base/visible.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/utf8.h"

namespace xwalk {
namespace {

TEST(AppendVisibleJson, IsJsonOfTheTextWithNothingHidden) {
  std::string all;
  for (uint32_t code = 0; code < 0x11000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    std::string character;
    append_utf8(code, &character);
    all += character;
    std::string out = "before";
    append_visible_json(character, &out);
    EXPECT_EQ(out, "before" + visible_json(nlohmann::json(character).dump())) << code;
  }
  std::string out;
  append_visible_json(all, &out);
  EXPECT_EQ(out, visible_json(nlohmann::json(all).dump()));
  EXPECT_EQ(nlohmann::json::parse(out).get<std::string>(), all);
}

}  // namespace
}  // namespace xwalk
