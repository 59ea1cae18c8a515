#include "xwalk/base/uuid_text.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace xwalk {
namespace {

constexpr std::string_view kText = "00112233-4455-6677-8899-aabbccddeeff";

TEST(UuidText, HasTheBytesInOrder) {
  std::array<char, kUuidSize> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes.at(i) = static_cast<char>(0x11 * i);
  std::array<char, kUuidTextSize> text;
  EXPECT_EQ(write_uuid_text(bytes.data(), text.data()), text.data() + text.size());
  EXPECT_EQ(std::string_view(text.data(), text.size()), kText);
  std::array<char, kUuidSize> again{};
  EXPECT_TRUE(read_uuid_text(kText, again.data()));
  EXPECT_EQ(again, bytes);
  EXPECT_TRUE(read_uuid_text("00112233-4455-6677-8899-AABBCCDDEEFF", again.data()));
  EXPECT_EQ(again, bytes);
}

TEST(UuidText, RefusesEveryOtherByte) {
  std::array<char, kUuidSize> bytes{};
  for (size_t i = 0; i < kText.size(); ++i) {
    EXPECT_FALSE(read_uuid_text(kText.substr(0, i), bytes.data())) << i;
    for (const char wrong : {'g', ' ', '\0', kText[i] == '-' ? '0' : '-'}) {
      std::string damaged(kText);
      damaged[i] = wrong;
      EXPECT_FALSE(read_uuid_text(damaged, bytes.data())) << damaged;
    }
  }
  EXPECT_FALSE(read_uuid_text(std::string(kText) + "0", bytes.data()));
  EXPECT_FALSE(read_uuid_text("{" + std::string(kText) + "}", bytes.data()));
}

}  // namespace
}  // namespace xwalk
