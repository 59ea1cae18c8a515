#include "xwalk/base/exact_double.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace xwalk {
namespace {

constexpr std::string_view kNotZero = "123456789";
/// No double has more digits before its point.
constexpr size_t kMaxWholeDigits = std::numeric_limits<double>::max_exponent10 + 1;
/// Also the point, and the exponent.
constexpr size_t kMaxPrinted = kMaxWholeDigits + 8;

/// The parts of an unsigned number.
struct Spelled {
  /// Digits and perhaps a point, from the first digit that is not 0 to the last one that counts.
  std::string_view mantissa;
  size_t digits = 0;
  /// The power of ten of the last digit.
  int64_t last = 0;
};

/// Returns the exponent after an `e`, as far as numbers reach.
int64_t exponent_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int64_t exponent = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  constexpr int64_t kFar = int64_t{1} << 40;
  if (failed == std::errc::result_out_of_range) return text.starts_with('-') ? -kFar : kFar;
  return std::clamp(exponent, -kFar, kFar);
}

/// Takes a number apart that is not 0. `is_plain` says that it has no point and no exponent: then
/// its zeros count.
Spelled spelled(std::string_view text, size_t mantissa_size, bool is_plain) {
  Spelled out;
  const std::string_view mantissa = text.substr(0, mantissa_size);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t first = mantissa.find_first_of(kNotZero);
  const size_t last = is_plain ? mantissa.size() - 1 : mantissa.find_last_of(kNotZero);
  out.mantissa = mantissa.substr(first, last + 1 - first);
  out.digits = out.mantissa.size() - (first < point && point < last ? 1 : 0);
  out.last =
      last < point ? static_cast<int64_t>(point - 1 - last) : -static_cast<int64_t>(last - point);
  if (mantissa_size < text.size()) out.last += exponent_of(text.substr(mantissa_size + 1));
  return out;
}

/// Returns true if digits, with a point after the first, are those of a number.
bool are_digits_of(const Spelled& number, const char* digits, const char* end) {
  for (char digit : number.mantissa) {
    if (digit == '.') continue;
    if (digits != end && *digits == '.') ++digits;
    if (digits == end || *digits != digit) return false;
    ++digits;
  }
  return digits == end || *digits == 'e';
}

/// Returns true if the number, rounded to as many digits, has these.
template <typename Real>
bool has_digits(Real magnitude, const Spelled& number) {
  if (number.digits > kMaxWholeDigits) return false;
  std::array<char, kMaxPrinted> out{};
  const auto are_printed = [&](std::to_chars_result printed) {
    return printed.ec == std::errc() && are_digits_of(number, out.data(), printed.ptr);
  };
  constexpr auto kForm = std::chars_format::scientific;
  char* const end = out.data() + out.size();
  if (are_printed(
          std::to_chars(out.data(), end, magnitude, kForm, static_cast<int>(number.digits - 1)))) {
    return true;
  }
  // The fewest digits of a power of two may be others: there are more numbers below it than above.
  return are_printed(std::to_chars(out.data(), end, magnitude, kForm));
}

template <typename Real>
bool is_read_from(Real nearest, std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t mantissa_size = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, mantissa_size);
  const bool has_digit = mantissa.find_first_of("0123456789") != std::string_view::npos;
  if (!has_digit) return true;  // nan, inf
  if (!std::isfinite(nearest)) return false;
  const bool is_zero = mantissa.find_first_of(kNotZero) == std::string_view::npos;
  if (is_zero || nearest == 0) return is_zero && nearest == 0;
  const bool is_plain =
      mantissa_size == text.size() && mantissa.find('.') == std::string_view::npos;
  const Spelled number = spelled(text, mantissa_size, is_plain);
  return number.last < 0 || has_digits(std::fabs(nearest), number);
}

}  // namespace

bool is_number_of(double nearest, std::string_view text) { return is_read_from(nearest, text); }
bool is_number_of(float nearest, std::string_view text) { return is_read_from(nearest, text); }

std::optional<double> number_of(double nearest, std::string_view text, int bits) {
  if (bits == kFloatBits) {
    const auto single = static_cast<float>(nearest);
    if (is_number_of(single, text)) return static_cast<double>(single);
  } else if (is_number_of(nearest, text)) {
    return nearest;
  }
  return std::nullopt;
}

bool is_rare_float_for(double value) {
  const auto single = static_cast<float>(value);
  if (static_cast<double>(single) == value || std::isnan(value)) return true;
  if (!std::isfinite(single) || single == 0) return false;
  if (value != std::trunc(value)) return true;
  std::array<char, 32> digits{};
  const auto [end, failed] = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                           std::chars_format::scientific);
  return failed == std::errc() &&
         is_number_of(single, {digits.data(), static_cast<size_t>(end - digits.data())});
}

}  // namespace xwalk
