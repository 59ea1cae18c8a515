#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "xwalk/base/int128.h"

namespace xwalk::variant {

/// The numbers of the specification (VariantEncoding.md, "Encoding types").
enum class BasicType : uint8_t { Primitive, ShortString, Object, Array };

enum class Primitive : uint8_t {
  Null,
  True,
  False,
  Int8,
  Int16,
  Int32,
  Int64,
  Double,
  Decimal4,
  Decimal8,
  Decimal16,
  Date,
  Timestamp,
  LocalTimestamp,
  Float,
  Binary,
  String,
  Time,
  TimestampNanos,
  LocalTimestampNanos,
  Uuid,
};
inline constexpr int kPrimitives = 21;

/// Bytes after the first one of each primitive; of binary and strings, those of their size.
inline constexpr std::array<uint8_t, kPrimitives> kPrimitiveBytes = {
    0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4, 4, 4, 8, 8, 8, 16};

/// Bytes of the longest short string.
inline constexpr size_t kShortString = 63;
/// Digits that a decimal has at most, and its greatest scale.
inline constexpr int kMostDigits = 38;

constexpr BasicType basic_type(char first) { return static_cast<BasicType>(first & 3); }
constexpr int value_header(char first) { return static_cast<unsigned char>(first) >> 2; }
constexpr char first_byte(BasicType type, int header) {
  return static_cast<char>(header << 2 | static_cast<int>(type));
}
constexpr char first_byte(Primitive type) {
  return first_byte(BasicType::Primitive, static_cast<int>(type));
}

/// Returns 10^digits, of up to 38.
constexpr Int128 power_of_ten(int digits) {
  Int128 power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  return power;
}

/// Returns true if a number has at most 38 digits.
constexpr bool fits_decimal(Int128 value) {
  constexpr Int128 kMost = power_of_ten(kMostDigits);
  return value > -kMost && value < kMost;
}

}  // namespace xwalk::variant
