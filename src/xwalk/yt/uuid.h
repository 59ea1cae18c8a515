#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/base/hex.h"
#include "xwalk/base/uuid_text.h"

namespace xwalk::yt {

/// The longest text of the form `text_yt`.
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

/// Writes the text of `uuid_mode=text_yql`, 36 bytes. Returns the end.
inline char* write_uuid_yql(const char* bytes, char* out) {
  std::array<char, kUuidSize> ordered;
  exchange_uuid_order(bytes, ordered.data());
  return write_uuid_text(ordered.data(), out);
}

/// Reads the text of `uuid_mode=text_yql`, either case, into 16 bytes.
inline bool read_uuid_yql(std::string_view text, char* bytes) {
  std::array<char, kUuidSize> ordered;
  if (!read_uuid_text(text, ordered.data())) return false;
  exchange_uuid_order(ordered.data(), bytes);
  return true;
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
