#include "xwalk/base/uuid_text.h"

#include <cstdint>

#include "xwalk/base/hex.h"

namespace xwalk {
namespace {

/// Returns true if a hyphen is before this byte.
constexpr bool begins_group(size_t byte) {
  return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

}  // namespace

char* write_uuid_text(const char* bytes, char* out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (size_t i = 0; i < kUuidSize; ++i) {
    if (begins_group(i)) *out++ = '-';
    const auto byte = static_cast<uint8_t>(bytes[i]);
    *out++ = kDigits[byte >> 4];
    *out++ = kDigits[byte & 15];
  }
  return out;
}

bool read_uuid_text(std::string_view text, char* bytes) {
  if (text.size() != kUuidTextSize) return false;
  const char* at = text.data();
  for (size_t i = 0; i < kUuidSize; ++i) {
    if (begins_group(i) && *at++ != '-') return false;
    const int high = hex_digit(*at++);
    const int low = hex_digit(*at++);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<char>(high * 16 + low);
  }
  return true;
}

}  // namespace xwalk
