#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "xwalk/base/endian.h"
#include "xwalk/base/int128.h"

namespace xwalk {

/// A signed integer of 256 bits in two's complement, low limb first: the unscaled value of a
/// decimal of up to 76 digits.
struct Int256 {
  std::array<uint64_t, 4> limbs{};

  constexpr Int256() = default;
  constexpr Int256(int64_t value)  // NOLINT(google-explicit-constructor): as between built-in types
      : limbs{static_cast<uint64_t>(value), fill(value < 0), fill(value < 0), fill(value < 0)} {}
  constexpr Int256(int value)  // NOLINT(google-explicit-constructor)
      : Int256(static_cast<int64_t>(value)) {}
  constexpr Int256(Int128 value)  // NOLINT(google-explicit-constructor)
      : limbs{static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64), fill(value < 0),
              fill(value < 0)} {}

  constexpr bool is_negative() const { return (limbs[3] >> 63) != 0; }

  /// Returns the low bits; equal to the value only if `fits_int128`.
  constexpr Int128 low128() const {
    return static_cast<Int128>((static_cast<Uint128>(limbs[1]) << 64) | limbs[0]);
  }
  constexpr bool fits_int128() const { return *this == Int256(low128()); }

  static constexpr Int256 min() {
    Int256 value;
    value.limbs[3] = uint64_t{1} << 63;
    return value;
  }
  static constexpr Int256 max() {
    Int256 value;
    value.limbs = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0} >> 1};
    return value;
  }

  friend constexpr bool operator==(const Int256&, const Int256&) = default;
  friend constexpr std::strong_ordering operator<=>(const Int256& a, const Int256& b) {
    if (a.is_negative() != b.is_negative()) {
      return a.is_negative() ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    for (size_t i = 4; i-- > 0;) {
      if (a.limbs[i] != b.limbs[i]) return a.limbs[i] <=> b.limbs[i];
    }
    return std::strong_ordering::equal;
  }

  /// Wraps for `min()`, as two's complement does.
  friend constexpr Int256 operator-(const Int256& a) {
    Int256 out;
    uint64_t carry = 1;
    for (size_t i = 0; i < 4; ++i) {
      out.limbs[i] = ~a.limbs[i] + carry;
      carry = carry != 0 && out.limbs[i] == 0 ? 1 : 0;
    }
    return out;
  }
  /// Wraps on overflow.
  friend constexpr Int256 operator+(const Int256& a, const Int256& b) {
    Int256 out;
    uint64_t carry = 0;
    for (size_t i = 0; i < 4; ++i) {
      Uint128 sum = static_cast<Uint128>(a.limbs[i]) + b.limbs[i] + carry;
      out.limbs[i] = static_cast<uint64_t>(sum);
      carry = static_cast<uint64_t>(sum >> 64);
    }
    return out;
  }
  friend constexpr Int256 operator-(const Int256& a, const Int256& b) { return a + (-b); }

 private:
  static constexpr uint64_t fill(bool negative) { return negative ? ~uint64_t{0} : 0; }
};

static_assert(sizeof(Int256) == 32);

/// Digits of the greatest power of ten each width holds.
inline constexpr int kInt128Digits = 38;
inline constexpr int kInt256Digits = 76;

namespace internal {

/// Multiplies a magnitude by a word and adds one, and returns what does not fit.
constexpr uint64_t multiply_add(std::array<uint64_t, 4>* limbs, uint64_t factor, uint64_t addend) {
  for (uint64_t& limb : *limbs) {
    Uint128 product = static_cast<Uint128>(limb) * factor + addend;
    limb = static_cast<uint64_t>(product);
    addend = static_cast<uint64_t>(product >> 64);
  }
  return addend;
}

/// Divides a magnitude by a word in place and returns the remainder.
constexpr uint64_t divide_by(std::array<uint64_t, 4>* limbs, uint64_t divisor) {
  uint64_t remainder = 0;
  for (size_t i = 4; i-- > 0;) {
    if (remainder == 0 && (*limbs)[i] == 0) continue;
    Uint128 part = (static_cast<Uint128>(remainder) << 64) | (*limbs)[i];
    (*limbs)[i] = static_cast<uint64_t>(part / divisor);
    remainder = static_cast<uint64_t>(part % divisor);
  }
  return remainder;
}

constexpr std::array<uint64_t, 20> make_powers64() {
  std::array<uint64_t, 20> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}

constexpr std::array<Int128, kInt128Digits + 1> make_powers128() {
  std::array<Int128, kInt128Digits + 1> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}

constexpr std::array<Int256, kInt256Digits + 1> make_powers256() {
  std::array<Int256, kInt256Digits + 1> powers{};
  powers[0] = Int256(1);
  for (size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1];
    multiply_add(&powers[i].limbs, 10, 0);
  }
  return powers;
}

inline constexpr std::array<uint64_t, 20> kPowers64 = make_powers64();
inline constexpr std::array<Int128, kInt128Digits + 1> kPowers128 = make_powers128();
inline constexpr std::array<Int256, kInt256Digits + 1> kPowers256 = make_powers256();

}  // namespace internal

/// Returns 10^exponent; `exponent` is 0..18, 0..38, 0..76.
inline int64_t power_of_ten_64(int exponent) {
  return static_cast<int64_t>(internal::kPowers64[static_cast<size_t>(exponent)]);
}
inline Int128 power_of_ten_128(int exponent) {
  return internal::kPowers128[static_cast<size_t>(exponent)];
}
inline const Int256& power_of_ten_256(int exponent) {
  return internal::kPowers256[static_cast<size_t>(exponent)];
}

/// Returns true if -10^digits < value < 10^digits; `digits` is 0..38 or 0..76.
inline bool fits_digits(Int128 value, int digits) {
  Int128 bound = power_of_ten_128(digits);
  return value < bound && value > -bound;
}
inline bool fits_digits(const Int256& value, int digits) {
  const Int256& bound = power_of_ten_256(digits);
  return value < bound && value > -bound;
}

/// Multiplies by 10^exponent (0 or more). Returns false on overflow and leaves the value
/// unspecified.
inline bool multiply_by_power_of_ten(Int128* value, int exponent) {
  if (exponent > kInt128Digits) return *value == 0;
  return !__builtin_mul_overflow(*value, power_of_ten_128(exponent), value);
}
bool multiply_by_power_of_ten(Int256* value, int exponent);

/// What a division by a power of ten left behind.
struct PowerOfTenRemainder {
  /// True if there was no remainder.
  bool exact = true;
  /// Compares twice the remainder's magnitude with the divisor: -1 below half, 0 half, 1 above.
  int half = -1;
};

/// Divides by 10^exponent (0 or more), truncating toward zero.
PowerOfTenRemainder divide_by_power_of_ten(Int128* value, int exponent);
PowerOfTenRemainder divide_by_power_of_ten(Int256* value, int exponent);

/// Longest text of any value: 78 digits and a sign.
inline constexpr size_t kWideTextSize = 80;

/// Writes decimal digits with a leading minus where negative, at most kWideTextSize bytes, and
/// returns the end.
char* write_decimal_text(Int128 value, char* out);
char* write_decimal_text(const Int256& value, char* out);
std::string to_decimal_text(Int128 value);
std::string to_decimal_text(const Int256& value);

/// Longest text of a value with a decimal point: `write_scaled_text` pads with up to `scale` zeros.
constexpr size_t scaled_text_size(int scale) {
  return kWideTextSize + 2 + static_cast<size_t>(scale < 0 ? -scale : scale);
}

/// Writes the value divided by 10^scale: exactly `scale` fraction digits and at least one before
/// the point; a negative scale appends zeros. At most `scaled_text_size(scale)` bytes.
char* write_scaled_text(Int128 value, int scale, char* out);
char* write_scaled_text(const Int256& value, int scale, char* out);

/// Appends digits (0-9 only, at least one; an optional single `-` before them) as a number. Returns
/// false if the text is anything else or the number does not fit; `value` is then unspecified.
bool parse_decimal_text(std::string_view text, Int128* value);
bool parse_decimal_text(std::string_view text, Int256* value);

/// Loads and stores two's complement of 16 or 32 bytes.
inline Int128 load_little_endian_128(const char* bytes) {
  std::array<uint64_t, 2> halves;
  std::memcpy(halves.data(), bytes, sizeof(halves));
  return static_cast<Int128>((static_cast<Uint128>(to_little_endian(halves[1])) << 64) |
                             to_little_endian(halves[0]));
}
inline Int128 load_big_endian_128(const char* bytes) {
  std::array<uint64_t, 2> halves;
  std::memcpy(halves.data(), bytes, sizeof(halves));
  return static_cast<Int128>((static_cast<Uint128>(to_big_endian(halves[0])) << 64) |
                             to_big_endian(halves[1]));
}
inline void store_little_endian(Int128 value, char* bytes) {
  std::array<uint64_t, 2> halves = {to_little_endian(static_cast<uint64_t>(value)),
                                    to_little_endian(static_cast<uint64_t>(value >> 64))};
  std::memcpy(bytes, halves.data(), sizeof(halves));
}
inline void store_big_endian(Int128 value, char* bytes) {
  std::array<uint64_t, 2> halves = {to_big_endian(static_cast<uint64_t>(value >> 64)),
                                    to_big_endian(static_cast<uint64_t>(value))};
  std::memcpy(bytes, halves.data(), sizeof(halves));
}
inline Int256 load_little_endian_256(const char* bytes) {
  Int256 value;
  std::memcpy(value.limbs.data(), bytes, sizeof(value.limbs));
  for (uint64_t& limb : value.limbs) limb = to_little_endian(limb);
  return value;
}
inline Int256 load_big_endian_256(const char* bytes) {
  std::array<uint64_t, 4> halves;
  std::memcpy(halves.data(), bytes, sizeof(halves));
  Int256 value;
  for (size_t i = 0; i < 4; ++i) value.limbs[i] = to_big_endian(halves[3 - i]);
  return value;
}
inline void store_little_endian(const Int256& value, char* bytes) {
  std::array<uint64_t, 4> halves;
  for (size_t i = 0; i < 4; ++i) halves[i] = to_little_endian(value.limbs[i]);
  std::memcpy(bytes, halves.data(), sizeof(halves));
}
inline void store_big_endian(const Int256& value, char* bytes) {
  std::array<uint64_t, 4> halves;
  for (size_t i = 0; i < 4; ++i) halves[i] = to_big_endian(value.limbs[3 - i]);
  std::memcpy(bytes, halves.data(), sizeof(halves));
}

/// Loads two's complement of any size, most significant byte first, as Parquet stores decimals.
/// Returns false for no bytes, and where more bytes than the number has do not only repeat the
/// sign.
bool load_big_endian(std::string_view bytes, Int128* value);
bool load_big_endian(std::string_view bytes, Int256* value);

/// Returns the fewest bytes that hold a number in two's complement: at least one.
size_t needed_bytes(Int128 value);
size_t needed_bytes(const Int256& value);

/// Stores two's complement of any size, most significant byte first: more bytes than the number has
/// repeat the sign, fewer keep the low ones.
void store_big_endian(Int128 value, char* bytes, size_t size);
void store_big_endian(const Int256& value, char* bytes, size_t size);

}  // namespace xwalk
