#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/base/hex.h"

namespace xwalk::yt {

/// Bytes of a uuid, and the longest of each text form.
inline constexpr size_t kUuidSize = 16;
inline constexpr size_t kUuidYqlTextSize = 36;
inline constexpr size_t kUuidYtTextSize = 35;

namespace internal {

/// Index in the storage form of each byte of the RFC 4122 form, and the reverse: the permutation is
/// its own inverse.
inline constexpr std::array<uint8_t, kUuidSize> kUuidRfcOrder = {3, 2, 1,  0,  5,  4,  7,  6,
                                                                 8, 9, 10, 11, 12, 13, 14, 15};
inline constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace internal

/// Turns 16 bytes as YTsaurus stores a uuid into the order of RFC 4122 (the order of its YQL text),
/// or back: the exchange is its own inverse. `in` and `out` must not overlap.
inline void exchange_uuid_order(const char* in, char* out) {
  for (size_t i = 0; i < kUuidSize; ++i) out[i] = in[internal::kUuidRfcOrder[i]];
}

/// Writes the text of `uuid_mode=text_yql`, 36 bytes: five groups, as RFC 4122. Returns the end.
inline char* write_uuid_yql(const char* bytes, char* out) {
  for (size_t i = 0; i < kUuidSize; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
    auto byte = static_cast<uint8_t>(bytes[internal::kUuidRfcOrder[i]]);
    *out++ = internal::kHexDigits[byte >> 4];
    *out++ = internal::kHexDigits[byte & 15];
  }
  return out;
}

/// Reads the text of `uuid_mode=text_yql`, either case, into 16 bytes.
inline bool read_uuid_yql(std::string_view text, char* bytes) {
  if (text.size() != kUuidYqlTextSize) return false;
  const char* at = text.data();
  int wrong = 0;
  for (size_t i = 0; i < kUuidSize; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) wrong |= *at++ ^ '-';
    int high = hex_digit(*at++);
    int low = hex_digit(*at++);
    if (high < 0 || low < 0) return false;
    bytes[internal::kUuidRfcOrder[i]] = static_cast<char>(high * 16 + low);
  }
  return wrong == 0;
}

/// Writes the text of `uuid_mode=text_yt`, at most 35 bytes: four groups of 32 bits without leading
/// zeros. Returns the end.
inline char* write_uuid_yt(const char* bytes, char* out) {
  for (size_t group = 0; group < 4; ++group) {
    if (group > 0) *out++ = '-';
    bool digits = false;
    for (size_t i = 0; i < 8; ++i) {
      auto byte = static_cast<uint8_t>(bytes[group * 4 + i / 2]);
      auto digit = static_cast<uint8_t>(i % 2 == 0 ? byte >> 4 : byte & 15);
      digits = digits || digit != 0 || i == 7;
      if (digits) *out++ = internal::kHexDigits[digit];
    }
  }
  return out;
}

/// Reads the text of `uuid_mode=text_yt`, either case, into 16 bytes: exactly four groups, none
/// empty, each below 2^32.
inline bool read_uuid_yt(std::string_view text, char* bytes) {
  size_t group = 0;
  uint64_t value = 0;
  bool empty = true;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == '-') {
      if (empty || group == 4) return false;
      for (size_t j = 0; j < 4; ++j) {
        bytes[group * 4 + j] = static_cast<char>(value >> (24 - 8 * j));
      }
      ++group;
      value = 0;
      empty = true;
      continue;
    }
    int digit = hex_digit(text[i]);
    if (digit < 0) return false;
    value = value * 16 + static_cast<uint64_t>(digit);
    if (value > UINT32_MAX) return false;
    empty = false;
  }
  return group == 4;
}

/// Text forms as strings. Reading throws Error (Input) with what is wrong.
std::string uuid_to_yql(std::string_view bytes);
std::string uuid_to_yt(std::string_view bytes);
std::string uuid_from_yql(std::string_view text);
std::string uuid_from_yt(std::string_view text);

}  // namespace xwalk::yt
