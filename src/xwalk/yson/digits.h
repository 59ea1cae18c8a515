#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "xwalk/base/endian.h"

/// Decimal digits of numbers, eight at a time: no loop, no table of pairs, and no branch except for
/// the size of the number.
namespace xwalk::yson {

namespace detail {

/// The digits 0 to 7 of a word are its bytes from the least significant one, so that they are in
/// order once stored. kAsciiZeros turns them into characters.
inline constexpr uint64_t kAsciiZeros = 0x3030303030303030;

/// Returns the four digits of a number below 10,000.
inline uint64_t four_digits(uint64_t value) {
  const uint64_t hundreds = (value * 5243) >> 19;
  const uint64_t pairs = hundreds | (value - hundreds * 100) << 16;
  const uint64_t tens = ((pairs * 103) >> 10) & 0x000F000F;
  return tens | (pairs - tens * 10) << 8;
}

/// Returns the eight digits of a number below 10^8: halves, then quarters, each in its own lane.
inline uint64_t eight_digits(uint64_t value) {
  const uint64_t high = value / 10000;
  const uint64_t fours = high | (value - high * 10000) << 32;
  const uint64_t hundreds = ((fours * 10486) >> 20) & 0x0000007F0000007F;
  const uint64_t pairs = hundreds | (fours - hundreds * 100) << 16;
  const uint64_t tens = ((pairs * 103) >> 10) & 0x000F000F000F000F;
  return tens | (pairs - tens * 10) << 8;
}

struct SixteenDigits {
  uint64_t first;
  uint64_t last;
};

/// Returns the eight digits of each of two numbers below 10^8.
inline SixteenDigits sixteen_digits(uint64_t first, uint64_t last) {
#if defined(__SSE2__)
  const __m128i values = _mm_set_epi64x(static_cast<int64_t>(last), static_cast<int64_t>(first));
  const __m128i high = _mm_srli_epi64(_mm_mul_epu32(values, _mm_set1_epi64x(109951163)), 40);
  const __m128i fours = _mm_or_si128(
      high, _mm_slli_epi64(_mm_sub_epi64(values, _mm_mul_epu32(high, _mm_set1_epi64x(10000))), 32));
  const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi32(5243)), 3);
  const __m128i pairs = _mm_or_si128(
      hundreds,
      _mm_slli_epi32(_mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, _mm_set1_epi32(100))), 16));
  const __m128i tens = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));
  const __m128i digits = _mm_or_si128(
      tens, _mm_slli_epi16(_mm_sub_epi16(pairs, _mm_mullo_epi16(tens, _mm_set1_epi16(10))), 8));
  return {static_cast<uint64_t>(_mm_cvtsi128_si64(digits)),
          static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(digits, digits)))};
#else
  return {eight_digits(first), eight_digits(last)};
#endif
}

/// Stores eight bytes. Returns the end of the digits after leading zeros. The last digit never
/// counts as a leading zero.
inline char* write_without_zeros(char* out, uint64_t digits, int count) {
  const int zeros = std::countr_zero(digits | uint64_t{1} << (8 * (count - 1))) / 8;
  store_little_endian((digits | kAsciiZeros) >> (8 * zeros), out);
  return out + (count - zeros);
}

}  // namespace detail

/// Writes the decimal digits without a suffix, into space for 24 bytes.
inline char* write_digits(char* out, uint64_t value) {
  constexpr uint64_t kEight = 100'000'000;
  if (value < kEight) {
    return detail::write_without_zeros(out, detail::eight_digits(value), 8);
  }
  const uint64_t high = value / kEight;
  const uint64_t low = value - high * kEight;
  detail::SixteenDigits digits;
  if (high < kEight) {
    digits = detail::sixteen_digits(high, low);
    out = detail::write_without_zeros(out, digits.first, 8);
  } else {
    const uint64_t highest = high / kEight;
    out = detail::write_without_zeros(out, detail::four_digits(highest), 4);
    digits = detail::sixteen_digits(high - highest * kEight, low);
    store_little_endian(digits.first | detail::kAsciiZeros, out);
    out += 8;
  }
  store_little_endian(digits.last | detail::kAsciiZeros, out);
  return out + 8;
}

}  // namespace xwalk::yson
