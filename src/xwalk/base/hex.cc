#include "xwalk/base/hex.h"

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk {

std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (char c : bytes) fmt::format_to(std::back_inserter(out), "{:02x}", static_cast<uint8_t>(c));
  return out;
}

std::string from_hex(std::string_view text) {
  auto digit = [](char c) {
    const int value = hex_digit(c);
    if (value >= 0) return value;
    throw Error(ErrorCode::Input, fmt::format("expected a hex digit, found {}", quoted({&c, 1})));
  };
  if (text.size() % 2 != 0) {
    throw Error(ErrorCode::Input,
                fmt::format("expected an even number of hex digits, found {}", text.size()));
  }
  std::string out(text.size() / 2, '\0');
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<char>(digit(text[2 * i]) * 16 + digit(text[2 * i + 1]));
  }
  return out;
}

}  // namespace xwalk
