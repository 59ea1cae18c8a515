// Ends of values in text, by what the processor has, by any processor, and byte by byte.

#include "xwalk/yson/block_masks.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace xwalk::yson {
namespace {

std::vector<uint16_t> by_bytes(const std::string& text) {
  std::vector<uint16_t> found;
  bool inside = false;
  bool escaped = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // Outside strings a backslash is an error, and still takes a quote its meaning.
    if (c == '"' && !escaped) inside = !inside;
    if (!inside && (c == ';' || c == '}')) found.push_back(static_cast<uint16_t>(i));
    escaped = c == '\\' && !escaped;
  }
  return found;
}

TEST(BlockMasks, MarksEndsOfValuesOutsideStrings) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const size_t blocks = random() % 128;
    // From text to nothing but what is looked for.
    const std::string bytes = "\";}\\" + std::string(random() % 64, 'a');
    std::string text;
    while (text.size() < blocks * kBlock) text += bytes[random() % bytes.size()];
    const std::vector<uint16_t> expected = by_bytes(text);
    std::vector<uint16_t> found(text.size() + 8);
    for (const auto mark : {&mark_value_ends, &mark_value_ends_plain}) {
      const size_t count = mark(text.data(), blocks, found.data());
      ASSERT_EQ(std::vector<uint16_t>(found.begin(), found.begin() + static_cast<ptrdiff_t>(count)),
                expected);
    }
  }
}

}  // namespace
}  // namespace xwalk::yson
