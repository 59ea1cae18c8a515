#include "xwalk/variant/json_cursor.h"

#include <charconv>
#include <system_error>

#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/base/utf8.h"
#include "xwalk/variant/kinds.h"

namespace xwalk::variant {
namespace {

constexpr uint32_t kFirstLead = 0xD800;
constexpr uint32_t kFirstTrail = 0xDC00;
constexpr uint32_t kAfterTrail = 0xE000;

}  // namespace

char JsonCursor::peek() {
  while (p_ != end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\n' || *p_ == '\r')) ++p_;
  return p_ == end_ ? '\0' : *p_;
}

bool JsonCursor::take(char byte) {
  if (peek() != byte || p_ == end_) return false;
  ++p_;
  return true;
}

bool JsonCursor::word(std::string_view word) {
  if (!std::string_view(p_, end_).starts_with(word)) return false;
  p_ += word.size();
  return true;
}

Fault JsonCursor::string(std::string_view* out) {
  const char* const start = ++p_;
  bool escaped = false;
  const char* copied = start;
  for (; p_ != end_ && *p_ != '"';) {
    if (static_cast<unsigned char>(*p_) < 0x20) return Fault::Json;
    if (*p_ != '\\') {
      ++p_;
      continue;
    }
    if (!escaped) unescaped_.clear();
    escaped = true;
    unescaped_.append(copied, p_);
    if (const Fault fault = escape(); fault != Fault::None) return fault;
    copied = p_;
  }
  if (p_ == end_) return Fault::Json;
  *out = {start, static_cast<size_t>(p_ - start)};
  if (escaped) {
    unescaped_.append(copied, p_);
    *out = unescaped_;
  }
  if (!is_valid_utf8(*out)) return Fault::NotText;
  ++p_;
  return Fault::None;
}

bool JsonCursor::code_unit(uint32_t* unit) {
  if (end_ - p_ < 4) return false;
  *unit = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(*p_++);
    if (digit < 0) return false;
    *unit = *unit << 4 | static_cast<uint32_t>(digit);
  }
  return true;
}

Fault JsonCursor::escape() {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  ++p_;
  if (p_ == end_) return Fault::Json;
  const char letter = *p_++;
  if (letter != 'u') {
    const size_t which = kLetters.find(letter);
    if (which == std::string_view::npos) return Fault::Json;
    unescaped_ += kMeanings[which];
    return Fault::None;
  }
  uint32_t code;
  if (!code_unit(&code)) return Fault::Json;
  if (code >= kFirstLead && code < kAfterTrail) {
    uint32_t trail;
    if (code >= kFirstTrail || end_ - p_ < 2 || p_[0] != '\\' || p_[1] != 'u') {
      return Fault::NotText;
    }
    p_ += 2;
    if (!code_unit(&trail)) return Fault::Json;
    if (trail < kFirstTrail || trail >= kAfterTrail) return Fault::NotText;
    code = 0x10000 + ((code - kFirstLead) << 10) + (trail - kFirstTrail);
  }
  append_utf8(code, &unescaped_);
  return Fault::None;
}

Fault JsonCursor::number(JsonNumber* out) {
  const char* const start = p_;
  const bool negative = p_ != end_ && *p_ == '-';
  if (negative) ++p_;
  Int128 digits = 0;
  bool fits = true;
  const auto take_digits = [&] {
    const char* const first = p_;
    for (; p_ != end_ && is_ascii_digit(*p_); ++p_) {
      constexpr Int128 kTenth = power_of_ten(kMostDigits - 1);
      fits = fits && digits < kTenth;
      if (fits) digits = digits * 10 + (*p_ - '0');
    }
    return p_ - first;
  };
  const char* const whole = p_;
  const auto whole_digits = take_digits();
  if (whole_digits == 0 || (whole_digits > 1 && *whole == '0')) return Fault::Json;
  std::ptrdiff_t scale = 0;
  if (p_ != end_ && *p_ == '.') {
    ++p_;
    scale = take_digits();
    if (scale == 0) return Fault::Json;
  }
  const bool exponent = p_ != end_ && (*p_ == 'e' || *p_ == 'E');
  if (exponent) {
    ++p_;
    if (p_ != end_ && (*p_ == '+' || *p_ == '-')) ++p_;
    const char* const first = p_;
    while (p_ != end_ && is_ascii_digit(*p_)) ++p_;
    if (p_ == first) return Fault::Json;
  }
  const Int128 value = negative ? -digits : digits;
  const bool negative_zero = negative && fits && digits == 0;
  if (exponent || negative_zero) {
    // Decimals have no negative zero.
    *out = {.kind = JsonNumber::Kind::Double};
    if (std::from_chars(start, p_, out->real).ec == std::errc()) return Fault::None;
    p_ = start;
    return Fault::Number;
  }
  if (!fits || scale > kMostDigits) {
    p_ = start;
    return Fault::Number;
  }
  const bool int64 = scale == 0 && value >= INT64_MIN && value <= INT64_MAX;
  *out = {.kind = int64 ? JsonNumber::Kind::Int64 : JsonNumber::Kind::Decimal,
          .unscaled = value,
          .scale = static_cast<int>(scale)};
  return Fault::None;
}

std::string_view JsonCursor::scalar() {
  const char* const start = p_;
  while (p_ != end_ && std::string_view(",]} \t\n\r").find(*p_) == std::string_view::npos) ++p_;
  return {start, p_};
}

}  // namespace xwalk::variant
