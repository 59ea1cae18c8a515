#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <string_view>

namespace xwalk {

/// Returns true if a floating-point number that was read from a text stands for its number. An
/// integer stands for itself alone: 9007199254740993 is no double. A fraction or a number with an
/// exponent is the nearest number, except 0 for one that is not, and an infinity.
template <std::floating_point Real>
bool is_number_of(Real read, std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::string_view mantissa = text.substr(0, text.find_first_of("eE"));
  const bool has_digits = mantissa.find_first_of("0123456789") != std::string_view::npos;
  if (!has_digits) return true;  // nan, inf
  if (!std::isfinite(read)) return false;
  const bool is_zero = mantissa.find_first_of("123456789") == std::string_view::npos;
  if (is_zero || read == 0) return is_zero && read == 0;
  if (text.find_first_of(".eE") != std::string_view::npos) return true;
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  std::array<char, 320> digits{};
  const auto [end, failed] = std::to_chars(digits.data(), digits.data() + digits.size(),
                                           std::fabs(read), std::chars_format::fixed, 0);
  return failed == std::errc() &&
         std::string_view(digits.data(), static_cast<size_t>(end - digits.data())) == text;
}

}  // namespace xwalk
