#pragma once

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Tokens of a line of JSON, for the readers that see each of its bytes once.
namespace xwalk::yt {

/// Returns the first byte from `p` that is not white space inside a line, `end` at the latest.
[[gnu::always_inline]] inline const char* skip_white(const char* p, const char* end) {
  // A single comparison if there is no white space.
  while (static_cast<unsigned char>(*p) <= ' ' && p < end &&
         (*p == ' ' || *p == '\t' || *p == '\r')) {
    ++p;
  }
  return p;
}

/// The contents of a quoted string.
struct Inside {
  const char* close;  ///< the closing quote; null if it is missing or a control character is before
                      /// it
  bool escaped;
  bool high;  ///< bytes from 0x80
};

/// Searches the end of a string byte by byte.
inline Inside find_rest(const char* p, const char* end, bool escaped, bool high) {
  while (p < end) {
    if (*p == '"') return {p, escaped, high};
    if (static_cast<unsigned char>(*p) < 0x20) break;
    if (*p == '\\') {
      escaped = true;
      ++p;
      // What is escaped is no quote that ends the string; whether it may be is asked later.
      if (static_cast<unsigned char>(*p) < 0x20) break;
    }
    high = high || (*p & 0x80) != 0;
    ++p;
  }
  return {nullptr, escaped, high};
}

/// Returns the first quote, backslash or, with `kControl`, control character from `p` on. Without
/// one before `end` it returns a place from there on; a null `end` promises one. `high` becomes
/// nonzero if bytes from 0x80 are before it. kPadding bytes after `end` must be readable.
template <bool kControl>
[[gnu::always_inline]] inline const char* find_stop(const char* p, const char* end,
                                                    unsigned* high) {
#if defined(__SSE2__)
  for (; end == nullptr || p < end; p += 16) {
    const __m128i block = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
    __m128i stops = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')),
                                 _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
    if constexpr (kControl) {
      const __m128i low = _mm_min_epu8(block, _mm_set1_epi8(0x1F));
      stops = _mm_or_si128(_mm_cmpeq_epi8(low, block), stops);
    }
    const auto stop = static_cast<unsigned>(_mm_movemask_epi8(stops));
    const auto above = static_cast<unsigned>(_mm_movemask_epi8(block));
    if (stop == 0) {
      *high |= above;
      continue;
    }
    const int clean = std::countr_zero(stop);
    *high |= above & ((1U << clean) - 1);
    return p + clean;
  }
#else
  for (; end == nullptr || p < end; ++p) {
    if (*p == '"' || *p == '\\' || (kControl && static_cast<unsigned char>(*p) < 0x20)) break;
    *high |= static_cast<unsigned char>(*p) & 0x80U;
  }
#endif
  return p;
}

/// Searches the end of a string, with `p` after its quote, up to `end`. kPadding bytes after `end`
/// must be readable.
[[gnu::always_inline]] inline Inside find_close(const char* p, const char* end) {
  unsigned high = 0;
  p = find_stop<true>(p, end, &high);
  if (p >= end) return {nullptr, false, false};
  if (*p == '"') [[likely]]
    return {p, false, high != 0};
  return find_rest(p, end, false, high != 0);
}

}  // namespace xwalk::yt
