#include "xwalk/hub/cast/text_views.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/base/each_processor.h"

namespace xwalk::hub::cast {
namespace {

/// Texts in memory that ends where they end, so that a sanitizer sees what is read beyond.
struct Texts {
  std::vector<int32_t> offsets;
  std::vector<char> data;
  std::vector<uint8_t> validity;
  int64_t first_bit = 0;
  bool nulls = false;

  int64_t count() const { return static_cast<int64_t>(offsets.size()) - 1; }
  bool is_valid(int64_t i) const { return !nulls || bit_is_set(validity.data(), first_bit + i); }
  std::string_view text(int64_t i) const {
    const auto at = static_cast<size_t>(i);
    return {data.data() + offsets[at], static_cast<size_t>(offsets[at + 1] - offsets[at])};
  }
  TextsToView to_view() const {
    return {offsets.data(), data.data(), nulls ? validity.data() : nullptr, first_bit, count()};
  }
};

Texts random_texts(std::mt19937_64& random, size_t most_texts, size_t longest) {
  Texts out;
  // The bytes before the first text belong to another slice.
  out.data.assign(random() % 2 == 0 ? 0 : random() % 20, '#');
  out.offsets.push_back(static_cast<int32_t>(out.data.size()));
  const size_t count = random() % (most_texts + 1);
  for (size_t i = 0; i < count; ++i) {
    const size_t size = random() % (longest + 1);
    for (size_t k = 0; k < size; ++k) out.data.push_back(static_cast<char>(random()));
    out.offsets.push_back(static_cast<int32_t>(out.data.size()));
  }
  out.nulls = random() % 3 != 0;
  out.first_bit = static_cast<int64_t>(random() % 20);
  for (size_t i = 0; i < (static_cast<size_t>(out.first_bit) + count + 7) / 8; ++i) {
    out.validity.push_back(static_cast<uint8_t>(random()));
  }
  out.data.shrink_to_fit();
  return out;
}

void expect_views(const Texts& texts, const std::vector<View>& views, bool any_long) {
  bool met_long = false;
  for (int64_t i = 0; i < texts.count(); ++i) {
    const std::string_view text = texts.is_valid(i) ? texts.text(i) : std::string_view();
    View wanted{static_cast<int32_t>(text.size()), 0, 0, 0};
    const bool is_long = text.size() > kInlineBytes;
    if (!text.empty()) std::memcpy(&wanted.prefix, text.data(), is_long ? 4 : text.size());
    if (is_long) wanted.offset = texts.offsets[static_cast<size_t>(i)] - texts.offsets[0];
    met_long |= is_long;
    ASSERT_EQ(std::memcmp(&wanted, &views[static_cast<size_t>(i)], sizeof wanted), 0)
        << "text " << i << " of " << texts.count() << ", " << text.size() << " bytes";
  }
  EXPECT_EQ(any_long, met_long);
}

TEST(TextViewsTest, AreTheirTexts) {
  std::mt19937_64 random(7);
  for (const size_t longest : {size_t{0}, size_t{3}, size_t{12}, size_t{13}, size_t{40}}) {
    for (int i = 0; i < 400; ++i) {
      const Texts texts = random_texts(random, 70, longest);
      for_each_processor([&] {
        std::vector<View> views(static_cast<size_t>(texts.count()));
        const bool any_long = put_views(texts.to_view(), views.data());
        expect_views(texts, views, any_long);
      });
    }
  }
}

}  // namespace
}  // namespace xwalk::hub::cast
