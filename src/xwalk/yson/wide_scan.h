#pragma once

#include "xwalk/base/processor.h"

#if defined(XWALK_FOR_AVX512)

#include <bit>
#include <cstddef>
#include <cstdint>
#include <immintrin.h>

#include "xwalk/yson/scan.h"

/// Readers of values in text whose end is known, by AVX-512: all digits of a number at once, and no
/// branch on how many there are. What they read is masked, so no byte outside [p, end) is touched.
namespace xwalk::yson::wide {

/// Returns the number of 20 digits at most that the last bytes are, each of them less '0' and zero
/// in front; false if one is no digit, or where the number has more than 64 bits.
XWALK_FOR_AVX512 inline bool join(__m256i digits, uint64_t& out) {
  constexpr uint64_t kEight = 100'000'000;
  if (_mm256_cmpgt_epu8_mask(digits, _mm256_set1_epi8(9)) != 0) return false;
  const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 + (1 << 8)));
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(100 + (1 << 16)));
  const __m256i packed = _mm256_packus_epi32(fours, fours);
  const __m256i eights = _mm256_madd_epi16(packed, _mm256_set1_epi32(10000 + (1 << 16)));
  const auto first = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(eights)));
  const auto last = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
  const uint64_t high = first >> 32;
  const uint64_t low = (last & 0xFFFFFFFF) * kEight + (last >> 32);
  out = high * (kEight * kEight) + low;
  // 2^64 is 1844 6744073709551616.
  return high < 1844 || (high == 1844 && low < 6744073709551616);
}

/// As `read_known_digits`, without bytes at hand.
XWALK_FOR_AVX512 inline bool read_known_digits(const char* p, const char* end, uint64_t& out) {
  const auto count = static_cast<size_t>(end - p);
  if (count - 1 >= 20) return false;
  const __mmask32 mask = ~uint32_t{0} << (32 - count);
  const __m256i bytes = _mm256_maskz_loadu_epi8(mask, end - 32);
  return join(_mm256_maskz_sub_epi8(mask, bytes, _mm256_set1_epi8('0')), out);
}

/// As `read_known_double`, without bytes at hand.
XWALK_FOR_AVX512 inline bool read_known_double(const char* p, const char* end, double& out) {
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  const auto count = static_cast<size_t>(end - p);
  // 19 digits and a point.
  if (count - 2 >= 19) return false;
  const __mmask32 mask = ~uint32_t{0} << (32 - count);
  const __m256i bytes = _mm256_maskz_loadu_epi8(mask, end - 32);
  const uint32_t points = _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8('.'));
  const int point = std::countr_zero(points);
  // None, or the first byte.
  if (point >= 32 || point == static_cast<int>(32 - count)) return false;
  // The digits in front of the point move onto it.
  const __mmask32 whole = mask << 1 & static_cast<uint32_t>((uint64_t{2} << point) - 1);
  const __m256i joined = _mm256_mask_loadu_epi8(bytes, whole, end - 33);
  uint64_t mantissa = 0;
  if (!join(_mm256_maskz_sub_epi8(mask << 1, joined, _mm256_set1_epi8('0')), mantissa))
    return false;
  const int scale = 31 - point;
  const double real = mantissa == 0 || scale == 0 ? static_cast<double>(mantissa)
                                                  : detail::divide_by_power_of_ten(mantissa, scale);
  out = negative ? -real : real;
  return true;
}

}  // namespace xwalk::yson::wide

#endif
