#include "xwalk/base/visible.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace xwalk {
namespace {

std::string utf8(uint32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xc0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xe0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xf0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(AppendVisibleJson, IsJsonOfTheTextWithNothingHidden) {
  std::string all;
  for (uint32_t code = 0; code < 0x11000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const std::string character = utf8(code);
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
