// Where values and items end in text, by what each processor has, and byte by byte.

#include "xwalk/yson/block_masks.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/base/each_processor.h"

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
    // From plain text to only the searched characters.
    const std::string bytes = "\";}\\" + std::string(random() % 64, 'a');
    std::string text;
    while (text.size() < blocks * kBlock) text += bytes[random() % bytes.size()];
    const std::vector<uint16_t> expected = by_bytes(text);
    for_each_processor([&] {
      std::vector<uint16_t> found(text.size() + kBlock);
      found.resize(mark_value_ends(text.data(), blocks, found.data()));
      ASSERT_EQ(found, expected);
    });
  }
}

/// The masks of one block, byte by byte.
ItemMasks masks_of(std::string_view block, bool* inside, bool* escaped) {
  ItemMasks masks;
  for (size_t i = 0; i < block.size(); ++i) {
    const char c = block[i];
    const uint64_t bit = uint64_t{1} << i;
    if (c == '"' && !*escaped) *inside = !*inside;
    *escaped = c == '\\' && !*escaped;
    if (*inside) continue;
    if (c == '[' || c == '{' || c == '<') masks.open |= bit, ++masks.opens;
    if (c == '<') masks.angle |= bit;
    if (c == ']' || c == '}' || c == '>') masks.close |= bit, ++masks.closes;
    if (c == ';') masks.separator |= bit;
    if (static_cast<unsigned char>(c) < 8) masks.control |= bit;
  }
  for (size_t i = 0, brackets = 0; i < block.size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if (((masks.open | masks.close) & bit) != 0) ++brackets;
    const bool odd = brackets % 2 != 0;
    if (odd) masks.odd |= bit;
    if ((masks.separator & bit) != 0) ++(odd ? masks.odd_separators : masks.even_separators);
  }
  return masks;
}

TEST(BlockMasks, MarksItemsOutsideStrings) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const size_t blocks = random() % 40;
    const std::string bytes = "\"\\;[{<]}>\1\7\b\x80\xBB" + std::string(random() % 64, 'a');
    std::string text;
    while (text.size() < blocks * kBlock) text += bytes[random() % bytes.size()];
    const bool began_inside = random() % 2 == 0;
    const bool began_escaped = random() % 2 == 0;
    for_each_processor([&] {
      bool inside = began_inside;
      bool escaped = began_escaped;
      StringState state{began_escaped ? uint64_t{1} : 0, began_inside ? ~uint64_t{0} : 0};
      std::vector<ItemMasks> found(blocks);
      mark_items(text.data(), blocks, &state, found.data());
      for (size_t block = 0; block < blocks; ++block) {
        const ItemMasks expected =
            masks_of(std::string_view(text).substr(block * kBlock, kBlock), &inside, &escaped);
        ASSERT_EQ(found[block].open, expected.open);
        ASSERT_EQ(found[block].close, expected.close);
        ASSERT_EQ(found[block].separator, expected.separator);
        ASSERT_EQ(found[block].control, expected.control);
        ASSERT_EQ(found[block].angle, expected.angle);
        ASSERT_EQ(found[block].odd, expected.odd);
        ASSERT_EQ(found[block].odd_separators, expected.odd_separators);
        ASSERT_EQ(found[block].even_separators, expected.even_separators);
        ASSERT_EQ(found[block].opens, expected.opens);
        ASSERT_EQ(found[block].closes, expected.closes);
      }
      EXPECT_EQ(state.escaped, escaped ? 1 : 0);
      EXPECT_EQ(state.in_string, inside ? ~uint64_t{0} : 0);
    });
  }
}

TEST(BlockMasks, CountsNewlines) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string text(random() % 9000, 'a');
    const uint64_t one_in = 1 + random() % 50;
    for (char& c : text) c = random() % one_in == 0 ? '\n' : 'a';
    for_each_processor([&] { EXPECT_EQ(count_newlines(text), std::ranges::count(text, '\n')); });
  }
}

}  // namespace
}  // namespace xwalk::yson
