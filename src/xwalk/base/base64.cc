#include "xwalk/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0);
    }
    for (size_t k = 0; k < 4; ++k) {
      out += k <= count ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

namespace {

/// The value of a digit at each of the four positions of a group; all bits are set for invalid
/// characters.
using Values = std::array<std::array<uint32_t, 256>, 4>;

constexpr Values kValues = [] {
  Values values{};
  for (size_t place = 0; place < values.size(); ++place) {
    values[place].fill(UINT32_MAX);
    for (uint32_t i = 0; i < kDigits.size(); ++i) {
      values[place][static_cast<uint8_t>(kDigits[i])] = i << (18 - 6 * place);
    }
  }
  return values;
}();

}  // namespace

std::string from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    throw Error(ErrorCode::Input,
                fmt::format("expected a multiple of 4 base64 digits, found {}", text.size()));
  }
  size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string out(text.size() / 4 * 3 - padding, '\0');
  char* to = out.data();
  for (size_t i = 0; i < text.size(); i += 4) {
    const auto digit = [&](size_t k) { return kValues[k][static_cast<uint8_t>(text[i + k])]; };
    const uint32_t four = digit(0) | digit(1) | digit(2) | digit(3);
    if (i + 4 < text.size() && four < 1U << 24) {
      *to++ = static_cast<char>(four >> 16);
      *to++ = static_cast<char>(four >> 8);
      *to++ = static_cast<char>(four);
      continue;
    }
    uint32_t group = 0;
    size_t digits = i + 4 == text.size() ? 4 - padding : 4;
    for (size_t k = 0; k < 4; ++k) {
      const uint32_t value = k < digits ? digit(k) : 0;
      if (value == UINT32_MAX) {
        throw Error(ErrorCode::Input, fmt::format("expected a base64 digit, found {}",
                                                  clipped(text.substr(i + k, 1))));
      }
      group |= value;
    }
    for (size_t k = 0; k + 1 < digits; ++k) *to++ = static_cast<char>(group >> (16 - 8 * k) & 255);
  }
  return out;
}

}  // namespace xwalk
