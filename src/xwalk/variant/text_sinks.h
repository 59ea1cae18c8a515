#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "xwalk/base/base64.h"
#include "xwalk/base/int128.h"
#include "xwalk/base/text.h"
#include "xwalk/base/time_text.h"
#include "xwalk/base/uuid_text.h"
#include "xwalk/base/wide_integer.h"
#include "xwalk/variant/fault.h"
#include "xwalk/variant/kinds.h"
#include "xwalk/yson/json_writer.h"
#include "xwalk/yson/printer.h"

namespace xwalk::variant {

/// A text that is made of a value.
class Text {
 public:
  char* begin() { return bytes_.data(); }
  std::string_view until(const char* end) const {
    return {bytes_.data(), static_cast<size_t>(end - bytes_.data())};
  }

 private:
  std::array<char, scaled_text_size(kMostDigits)> bytes_;
};

inline std::string_view decimal_text(Int128 unscaled, int scale, Text* text) {
  return text->until(write_scaled_text(unscaled, scale, text->begin()));
}

/// Returns the double whose shortest text is the same number as a decimal, or nothing.
inline std::optional<double> double_of_digits(Int128 unscaled, int scale) {
  Text text;
  const std::string_view digits = decimal_text(unscaled, scale, &text);
  double value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (unscaled == 0) return value;
  std::array<char, 32> shortest;
  const char* const end = std::to_chars(shortest.data(), shortest.data() + shortest.size(), value,
                                        std::chars_format::scientific)
                              .ptr;
  // [-]D[.DDD]e±DD
  Int128 mantissa = 0;
  int exponent = 0;
  bool fraction = false;
  for (const char* at = shortest.data(); at != end; ++at) {
    if (*at == 'e') {
      const bool plus = at[1] == '+';
      int written = 0;
      std::from_chars(at + (plus ? 2 : 1), end, written);
      exponent += written;
      break;
    }
    if (*at == '.') {
      fraction = true;
    } else if (*at != '-') {
      mantissa = mantissa * 10 + (*at - '0');
      exponent -= fraction ? 1 : 0;
    }
  }
  if (unscaled < 0) mantissa = -mantissa;
  int own_exponent = -scale;
  for (; unscaled % 10 == 0; unscaled /= 10) ++own_exponent;
  for (; mantissa % 10 == 0; mantissa /= 10) ++exponent;
  if (mantissa != unscaled || exponent != own_exponent) return std::nullopt;
  return value;
}

/// `bytes` are 16.
inline std::string_view uuid_text(std::string_view bytes, Text* text) {
  return text->until(write_uuid_text(bytes.data(), text->begin()));
}

/// What both writers of text have in common: the forms of values that they lack.
template <typename Base>
class TextSink : public Base {
 public:
  template <typename... Args>
  explicit TextSink(Foreign foreign, Args&&... args)
      : Base(std::forward<Args>(args)...), foreign_(foreign) {}

  Fault refused() const { return refused_; }

  void text(std::string_view bytes) { Base::string(bytes); }
  void date(int32_t days) {
    if (is_number(days)) return;
    Text text;
    foreign_text(text.until(write_date(days, text.begin())), Fault::Date);
  }
  void time(int64_t micros) {
    if (is_number(micros)) return;
    Text text;
    foreign_text(text.until(write_time(micros, 6, text.begin())), Fault::Time);
  }
  void timestamp(int64_t ticks, int digits, bool utc) {
    if (is_number(ticks)) return;
    Text text;
    char* end = write_instant(ticks, digits, text.begin());
    if (utc) *end++ = 'Z';
    foreign_text(text.until(end), Fault::Timestamp);
  }
  void uuid(std::string_view bytes) {
    Text text;
    foreign_text(uuid_text(bytes, &text), Fault::Uuid);
  }

 protected:
  bool allows(Fault fault) {
    if (foreign_ != Foreign::Refuse) return true;
    if (refused_ == Fault::None) refused_ = fault;
    return false;
  }

  Foreign foreign() const { return foreign_; }

 private:
  /// Writes a number if numbers are wanted.
  bool is_number(int64_t value) {
    if (foreign_ != Foreign::Number) return false;
    Base::int64(value);
    return true;
  }
  void foreign_text(std::string_view bytes, Fault fault) {
    if (allows(fault)) Base::string(bytes);
  }

  Foreign foreign_;
  Fault refused_ = Fault::None;
};

/// A sink of Walker that writes YSON.
class YsonSink : public TextSink<yson::Printer> {
 public:
  YsonSink(yson::Format format, Foreign foreign, yson::Buffer* out)
      : TextSink(foreign, format, 0, out) {}

  void bytes(std::string_view bytes) {
    if (!is_valid_utf8(bytes) || allows(Fault::TextBytes)) string(bytes);
  }
  /// Each float equals a double.
  void real32(float value) { real(value); }
  void decimal(Int128 unscaled, int scale) {
    if (scale == 0 && unscaled >= INT64_MIN && unscaled <= Int128{UINT64_MAX}) {
      if (unscaled < 0) return int64(static_cast<int64_t>(unscaled));
      return uint64(static_cast<uint64_t>(unscaled));
    }
    Text text;
    const std::string_view digits = decimal_text(unscaled, scale, &text);
    if (foreign() == Foreign::Text) return string(digits);
    if (const auto same = double_of_digits(unscaled, scale)) return real(*same);
    if (!allows(Fault::DecimalDigits)) return;
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    real(value);
  }
};

/// A sink of Walker that writes JSON in one line.
class JsonSink : public TextSink<yson::JsonWriter> {
 public:
  JsonSink(Foreign foreign, yson::Buffer* out)
      : TextSink(
            foreign,
            yson::JsonRowStyle{.wrappers = false, .quoted_specials = foreign != Foreign::Refuse},
            out),
        out_(out) {}

  void bytes(std::string_view bytes) {
    if (allows(Fault::NotText)) string(to_base64(bytes));
  }
  /// The number is exact, so it has the digits of the double that equals the float.
  void real32(float value) { real(value); }
  void decimal(Int128 unscaled, int scale) {
    Text text;
    out_->append(decimal_text(unscaled, scale, &text));
  }

 private:
  yson::Buffer* out_;
};

}  // namespace xwalk::variant
