#include "xwalk/base/visible.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "xwalk/base/error.h"
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

TEST(Visible, BreaksCommandsOfCiServices) {
  EXPECT_EQ(visible("##vso[task.x]y ##[add-mask]z"), "##vso\\x5Btask.x]y ##\\x5Badd-mask]z");
  EXPECT_EQ(visible("a##b c[d] #[e] ##"), "a##b c[d] #[e] ##");
  std::string json;
  append_visible_json("##vso[a]##[b]#[", &json);
  EXPECT_EQ(json, "\"##vso\\u005ba]##\\u005bb]#[\"");
  EXPECT_EQ(visible_json(R"(["##vso[a]##[b]#["])"), R"(["##vso\u005ba]##\u005bb]#["])");
  EXPECT_TRUE(is_ci_command(" \t\u00a0::add-mask::x"));
  EXPECT_FALSE(is_ci_command("a::b"));
  EXPECT_FALSE(is_ci_command(""));
}

TEST(ErrorText, QuotesNoLineThatACiServiceObeys) {
  const auto text = [](std::string_view source, size_t at) {
    Place place = place_in_text(source, at, 1);
    place.file = "::add-mask::f";
    return Error(ErrorCode::Input, "m", std::move(place)).describe();
  };
  EXPECT_EQ(text("a\n::add-mask::x", 4),
            "./::add-mask::f:2:3: error: m\n  | ::add-mask::x\n  |   ^");
  EXPECT_EQ(text("##[group]x", 9), "./::add-mask::f:1:10: error: m\n  ##?group]x\n           ^");
}

}  // namespace
}  // namespace xwalk
