#include <algorithm>

#include "xwalk/parquet/wide_internal.h"

namespace xwalk::parquet {

std::string largest_magnitude(int32_t digits) {
  std::string little;  // base 256
  for (int32_t i = 0; i < digits; ++i) {
    int carry = 9;
    for (char& byte : little) {
      int product = static_cast<uint8_t>(byte) * 10 + carry;
      byte = static_cast<char>(product & 0xFF);
      carry = product >> 8;
    }
    if (carry != 0) little.push_back(static_cast<char>(carry));
  }
  std::reverse(little.begin(), little.end());
  return little;
}

bool within_magnitude(std::string_view number, std::string_view limit) {
  if (number.empty()) return false;
  bool negative = (static_cast<uint8_t>(number[0]) & 0x80) != 0;
  // A negative number's magnitude: its complement and one. Compared from the front, with the
  // sign bytes left out.
  std::string magnitude(number);
  if (negative) {
    int carry = 1;
    for (size_t i = magnitude.size(); i-- > 0;) {
      int byte = (~static_cast<uint8_t>(magnitude[i]) & 0xFF) + carry;
      magnitude[i] = static_cast<char>(byte & 0xFF);
      carry = byte >> 8;
    }
  }
  size_t zeros = 0;
  while (zeros < magnitude.size() && magnitude[zeros] == '\0') ++zeros;
  std::string_view digits = std::string_view(magnitude).substr(zeros);
  if (digits.size() != limit.size()) return digits.size() < limit.size();
  return std::string_view(digits) <= limit;
}

}  // namespace xwalk::parquet
