#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "xwalk/base/endian.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/wide_scan.h"
#include "xwalk/yt/row_program_internal.h"

// Readers for values whose end a first pass has found. They do not search for the end, and the
// value must be all of [begin, end). If they return false, `decode_value` decides. 24 bytes from
// `begin` must be readable, unless stated otherwise.
namespace xwalk::yt {

/// Readers of text by what any processor has.
struct PlainReaders {
  [[gnu::always_inline]] static bool matches(const KeyForm& key, const char* p) {
    return key.matches(p);
  }
  [[gnu::always_inline]] static bool digits(const char* p, const char* end, uint64_t& out) {
    return yson::read_known_digits(p, end, out);
  }
  static bool real(const char* p, const char* end, double& out) {
    return yson::read_known_double(p, end, out);
  }
  /// Copies a quoted string that has no escapes to `out`, which has room for 32 bytes, where 33
  /// bytes are at hand; returns its size, or -1.
  [[gnu::always_inline]] static ptrdiff_t copy(char* out, const char* begin, const char* end) {
    const char* const from = begin + 1;
    const ptrdiff_t size = end - from - 1;
    if (size < 0 || size >= 32 || *begin != '"') return -1;
    std::memcpy(out, from, 32);
    // The first one is the end.
    const char* const found = yson::find_quote_or_backslash(from, from + 32);
    return found == from + size && from[size] == '"' ? size : -1;
  }
};

#if defined(XWALK_FOR_AVX512)

/// The same by AVX-512.
struct WideReaders {
  XWALK_FOR_AVX512 static bool matches(const KeyForm& key, const char* p) {
    const size_t size = key.bytes.size();
    const auto mask = static_cast<__mmask16>(_bzhi_u32(0xFFFF, static_cast<uint32_t>(size)));
    const __m128i found = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
    const __m128i wanted =
        _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(key.halves.data())));
    if (_mm_mask_cmpneq_epi8_mask(mask, found, wanted) != 0) return false;
    return size <= 16 || key.rest_matches(p);
  }
  XWALK_FOR_AVX512 static bool digits(const char* p, const char* end, uint64_t& out) {
    return yson::wide::read_known_digits(p, end, out);
  }
  XWALK_FOR_AVX512 static bool real(const char* p, const char* end, double& out) {
    return yson::wide::read_known_double(p, end, out);
  }
  XWALK_FOR_AVX512 static ptrdiff_t copy(char* out, const char* begin, const char* end) {
    const char* const from = begin + 1;
    const ptrdiff_t size = end - from - 1;
    if (size < 0 || size >= 32 || *begin != '"') return -1;
    const __m256i bytes =
        _mm256_loadu_si256(static_cast<const __m256i*>(static_cast<const void*>(from)));
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(out)), bytes);
    const uint32_t found = _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8('"')) |
                           _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8('\\'));
    return std::countr_zero(found) == size && from[size] == '"' ? size : -1;
  }
};

#endif

/// Reads an int64 in text.
template <typename Readers>
[[gnu::always_inline]] inline bool read_known_int64(const char* begin, const char* end,
                                                    int64_t& out) {
  const bool negative = *begin == '-';
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  uint64_t raw = 0;
  if (!Readers::digits(begin + (negative ? 1 : 0), end, raw) || raw > kMost) return false;
  out = negative ? -static_cast<int64_t>(raw) : static_cast<int64_t>(raw);
  return true;
}

/// Reads a uint64 in text.
template <typename Readers>
[[gnu::always_inline]] inline bool read_known_uint64(const char* begin, const char* end,
                                                     uint64_t& out) {
  return end[-1] == 'u' && Readers::digits(begin, end - 1, out);
}

}  // namespace xwalk::yt
