#include "xwalk/base/utf8.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace xwalk {
namespace {

std::string utf8(uint32_t code) {
  std::string out;
  append_utf8(code, &out);
  return out;
}

/// Returns the bytes to which a JSON parser decodes the escaped code point.
std::string by_json(uint32_t code) {
  const std::string escape =
      code < 0x10000 ? fmt::format("\\u{:04x}", code)
                     : fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((code - 0x10000) >> 10),
                                   0xDC00 + ((code - 0x10000) & 0x3FF));
  return nlohmann::json::parse('"' + escape + '"').get<std::string>();
}

TEST(AppendUtf8, WritesEveryCodePoint) {
  for (uint32_t code = 0; code < 0x110000; code += code < 0x3000 ? 1 : 61) {
    if (code >= 0xD800 && code < 0xE000) continue;
    ASSERT_EQ(utf8(code), by_json(code)) << code;
  }
  for (uint32_t code : {0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    EXPECT_EQ(utf8(code), by_json(code)) << code;
  }
}

TEST(AppendUtf8, WritesWhatIsNotACodePointAsYtsaurusDoes) {
  EXPECT_EQ(utf8(0xD800), "\xED\xA0\x80");
  EXPECT_EQ(utf8(0xDFFF), "\xED\xBF\xBF");
  EXPECT_EQ(utf8(0xFFFFFFFF), "\xF7\xBF\xBF\xBF");
}

}  // namespace
}  // namespace xwalk
