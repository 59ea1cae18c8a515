#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "xwalk/base/endian.h"
#include "xwalk/base/text.h"
#include "xwalk/base/wide_integer.h"

namespace xwalk::yt {

/// Bytes of a decimal's binary form: 4, 8, 16 or 32 ("Description of binary representation").
constexpr int decimal_size(int precision) {
  return precision <= 9 ? 4 : precision <= 18 ? 8 : precision <= 38 ? 16 : 32;
}

/// What the integer of a decimal stands for.
enum class DecimalClass : uint8_t { Finite, Nan, Infinity, MinusInfinity, OutOfRange };

/// Result of reading text.
enum class DecimalText : uint8_t { Ok, Malformed, TooManyFractionDigits, TooManyIntegerDigits };

/// What surrounds one width of a decimal: int32_t, int64_t, Int128 or Int256. No function here
/// allocates.
template <typename Int>
struct DecimalCodec {
  static constexpr size_t kSize = sizeof(Int);

  static constexpr Int nan() {
    if constexpr (std::is_same_v<Int, Int256>) {
      return Int256::max();
    } else if constexpr (std::is_same_v<Int, Int128>) {
      return kInt128Max;
    } else {
      return std::numeric_limits<Int>::max();
    }
  }
  static constexpr Int infinity() { return nan() - Int(1); }
  static constexpr Int minus_infinity() { return Int(1) - nan(); }

  /// Returns 10^precision, the first integer that has too many digits; precision 1 to what the
  /// width holds (9, 18, 38, 76).
  static Int bound(int precision) {
    if constexpr (std::is_same_v<Int, Int256>) {
      return power_of_ten_256(precision);
    } else if constexpr (std::is_same_v<Int, Int128>) {
      return power_of_ten_128(precision);
    } else {
      return static_cast<Int>(power_of_ten_64(precision));
    }
  }

  /// Classifies an integer; `limit` is `bound(precision)`.
  static DecimalClass classify(const Int& value, const Int& limit) {
    if (value < limit && value > Int(0) - limit) return DecimalClass::Finite;
    if (value == nan()) return DecimalClass::Nan;
    if (value == infinity()) return DecimalClass::Infinity;
    if (value == minus_infinity()) return DecimalClass::MinusInfinity;
    return DecimalClass::OutOfRange;
  }

  /// Loads the binary form: big-endian with the top bit inverted. Reads kSize bytes.
  static Int load(const char* bytes) {
    if constexpr (std::is_same_v<Int, Int256>) {
      Int256 value = load_big_endian_256(bytes);
      value.limbs[3] ^= uint64_t{1} << 63;
      return value;
    } else if constexpr (std::is_same_v<Int, Int128>) {
      return load_big_endian_128(bytes) ^ kInt128Min;
    } else {
      auto word = load_big_endian<std::make_unsigned_t<Int>>(bytes);
      return static_cast<Int>(word ^ (std::make_unsigned_t<Int>{1} << (kSize * 8 - 1)));
    }
  }

  /// Stores the binary form. Writes kSize bytes.
  static void store(const Int& value, char* bytes) {
    if constexpr (std::is_same_v<Int, Int256>) {
      Int256 flipped = value;
      flipped.limbs[3] ^= uint64_t{1} << 63;
      store_big_endian(flipped, bytes);
    } else if constexpr (std::is_same_v<Int, Int128>) {
      store_big_endian(value ^ kInt128Min, bytes);
    } else {
      auto word =
          static_cast<std::make_unsigned_t<Int>>(static_cast<std::make_unsigned_t<Int>>(value) ^
                                                 (std::make_unsigned_t<Int>{1} << (kSize * 8 - 1)));
      store_big_endian(word, bytes);
    }
  }

  /// Writes the text form: nan, inf, -inf, or digits with exactly `scale` of them after the point.
  /// Writes at most kDecimalTextSize bytes and returns the end. Does not check the value against a
  /// precision.
  static char* write_text(const Int& value, int scale, char* out) {
    auto word = [&](std::string_view text) { return out + text.copy(out, text.size()); };
    if (value == nan()) return word("nan");
    if (value == infinity()) return word("inf");
    if (value == minus_infinity()) return word("-inf");
    if constexpr (std::is_same_v<Int, Int256>) {
      return write_scaled_text(value, scale, out);
    } else {
      return write_scaled_text(static_cast<Int128>(value), scale, out);
    }
  }

  /// Reads the text form. Follows the living system: a single sign, no white space, no exponent;
  /// digits before the point and the scale together are at most the precision, leading zeros
  /// counted; `1.`, `.5` and `.` are numbers; inf and nan in any case, nan without a minus. With
  /// `lenient` leading zeros do not count, so that the printed form of a decimal(p, p) is read.
  static DecimalText read_text(std::string_view text, int precision, int scale, Int* value,
                               bool lenient = false) {
    const char* at = text.data();
    const char* end = at + text.size();
    bool negative = false;
    if (at != end && (*at == '-' || *at == '+')) negative = *at++ == '-';
    if (at == end) return DecimalText::Malformed;
    if (!is_ascii_digit(*at) && *at != '.') return read_special(at, end, negative, value);
    if (lenient) {
      while (end - at > 1 && *at == '0' && is_ascii_digit(at[1])) ++at;
      if (end - at > 1 && *at == '0' && at[1] == '.') ++at;
    }
    const char* point = nullptr;
    const char* digits = at;
    Accumulator sum;
    for (; at != end; ++at) {
      if (*at == '.' && point == nullptr) {
        point = at;
        if (point - digits + scale > precision) return DecimalText::TooManyIntegerDigits;
        continue;
      }
      if (!is_ascii_digit(*at)) return DecimalText::Malformed;
      // Beyond any precision the text is rejected below; the digits only have to be digits.
      if (at - digits <= kMaxDigits) sum.add(static_cast<uint64_t>(*at - '0'));
    }
    ptrdiff_t before = (point == nullptr ? end : point) - digits;
    ptrdiff_t after = point == nullptr ? 0 : end - point - 1;
    if (after > scale) return DecimalText::TooManyFractionDigits;
    if (before + scale > precision) return DecimalText::TooManyIntegerDigits;
    for (ptrdiff_t i = after; i < scale; ++i) sum.add(0);
    *value = sum.value();
    if (negative) *value = Int(0) - *value;
    return DecimalText::Ok;
  }

 private:
  static constexpr ptrdiff_t kMaxDigits = 78;

  /// Gathers digits in one word before it touches the wide integer.
  class Accumulator {
   public:
    void add(uint64_t digit) {
      if (count_ == 18) flush();
      word_ = word_ * 10 + digit;
      ++count_;
    }
    Int value() {
      if constexpr (sizeof(Int) <= 8) {
        return static_cast<Int>(word_);
      } else {
        flush();
        return wide_;
      }
    }

   private:
    void flush() {
      if constexpr (std::is_same_v<Int, Int256>) {
        internal::multiply_add(&wide_.limbs, internal::kPowers64[static_cast<size_t>(count_)],
                               word_);
      } else if constexpr (std::is_same_v<Int, Int128>) {
        wide_ = static_cast<Int128>(
            static_cast<Uint128>(wide_) * internal::kPowers64[static_cast<size_t>(count_)] + word_);
      }
      word_ = 0;
      count_ = 0;
    }

    Int wide_{};
    uint64_t word_ = 0;
    int count_ = 0;
  };

  static DecimalText read_special(const char* at, const char* end, bool negative, Int* value) {
    if (end - at != 3) return DecimalText::Malformed;
    auto lower = [&](int i) { return static_cast<char>(at[i] | 0x20); };
    if (lower(0) == 'i' && lower(1) == 'n' && lower(2) == 'f') {
      *value = negative ? minus_infinity() : infinity();
      return DecimalText::Ok;
    }
    if (!negative && lower(0) == 'n' && lower(1) == 'a' && lower(2) == 'n') {
      *value = nan();
      return DecimalText::Ok;
    }
    return DecimalText::Malformed;
  }
};

/// Longest text of a decimal: 76 digits, a zero before the point, the point and a sign.
inline constexpr size_t kDecimalTextSize = scaled_text_size(76);

/// Calls `call(DecimalCodec<Int>())` with the width of a precision.
template <typename Call>
auto with_decimal_codec(int precision, const Call& call) {
  switch (decimal_size(precision)) {
    case 4:
      return call(DecimalCodec<int32_t>());
    case 8:
      return call(DecimalCodec<int64_t>());
    case 16:
      return call(DecimalCodec<Int128>());
    default:
      return call(DecimalCodec<Int256>());
  }
}

/// Throws Error (Input) unless 1 <= precision <= 76 and 0 <= scale <= precision.
void check_decimal_parameters(int precision, int scale);

/// Returns the binary form of a text. Throws Error (Input) for a text that is not a decimal(p, s).
std::string decimal_from_text(std::string_view text, int precision, int scale);
/// Returns the text of a binary form. Throws Error (Input) for a wrong length or a value with too
/// many digits.
std::string decimal_to_text(std::string_view bytes, int precision, int scale);
/// Throws Error (Input) unless the bytes are a decimal(p, s).
void check_decimal(std::string_view bytes, int precision, int scale);

/// Returns the message of a rejected text.
std::string decimal_text_message(DecimalText result, std::string_view text, int precision,
                                 int scale);

}  // namespace xwalk::yt
