#include "xwalk/yson/block_masks.h"

#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace xwalk::yson {
namespace {

/// Writes the places of the bits of a block at `at`; returns the end of what was written.
[[gnu::always_inline]] inline uint16_t* put_places(uint64_t bits, size_t at, uint16_t* out) {
  const auto count = static_cast<size_t>(std::popcount(bits));
  // Eight at a time: how many there are differs from block to block.
  for (size_t done = 0;;) {
    for (size_t i = 0; i < 8; ++i) {
      out[done + i] = static_cast<uint16_t>(at + static_cast<size_t>(std::countr_zero(bits)));
      bits &= bits - 1;
    }
    done += 8;
    if (done >= count) [[likely]]
      return out + count;
  }
}

/// All ones if the last bit of a block is set, else 0.
[[gnu::always_inline]] inline uint64_t carried(uint64_t bits) {
  return static_cast<uint64_t>(static_cast<int64_t>(bits) >> 63);
}

#if defined(__x86_64__)

inline uint64_t join(int low, int high) {
  return static_cast<uint64_t>(static_cast<uint32_t>(low)) |
         static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32;
}

[[gnu::target("avx2,bmi,popcnt,pclmul")]] size_t mark_value_ends_avx2(const char* p, size_t blocks,
                                                                      uint16_t* out) {
  const uint16_t* const begin = out;
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i separator = _mm256_set1_epi8(';');
  const __m256i brace = _mm256_set1_epi8('}');
  const __m128i ones = _mm_set1_epi8('\xff');
  uint64_t escape = 0;
  uint64_t inside = 0;
  for (size_t i = 0; i < blocks; ++i) {
    const auto* from = static_cast<const __m256i*>(static_cast<const void*>(p + i * kBlock));
    const __m256i low = _mm256_loadu_si256(from);
    const __m256i high = _mm256_loadu_si256(from + 1);
    const uint64_t slashes = join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, backslash)),
                                  _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, backslash)));
    const uint64_t all_quotes = join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, quote)),
                                     _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, quote)));
    const uint64_t ends =
        join(_mm256_movemask_epi8(
                 _mm256_or_si256(_mm256_cmpeq_epi8(low, separator), _mm256_cmpeq_epi8(low, brace))),
             _mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpeq_epi8(high, separator),
                                                  _mm256_cmpeq_epi8(high, brace))));
    const uint64_t quotes = all_quotes & ~find_escaped(slashes, escape);
    // A product without carries by ones is the parity of the bits so far.
    const __m128i parity =
        _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<int64_t>(quotes)), ones, 0);
    const uint64_t strings = static_cast<uint64_t>(_mm_cvtsi128_si64(parity)) ^ inside;
    inside = carried(strings);
    out = put_places(ends & ~strings, i * kBlock, out);
  }
  return static_cast<size_t>(out - begin);
}

#endif

}  // namespace

size_t mark_value_ends_plain(const char* p, size_t blocks, uint16_t* out) {
  const uint16_t* const begin = out;
  uint64_t escape = 0;
  uint64_t inside = 0;
  for (size_t i = 0; i < blocks; ++i) {
    const StringMasks masks = classify_strings(p + i * kBlock);
    const uint64_t quotes = masks.quote & ~find_escaped(masks.backslash, escape);
    const uint64_t strings = prefix_parity(quotes) ^ inside;
    inside = carried(strings);
    out = put_places(masks.value_end & ~strings, i * kBlock, out);
  }
  return static_cast<size_t>(out - begin);
}

size_t mark_value_ends(const char* p, size_t blocks, uint16_t* out) {
#if defined(__x86_64__)
  static const bool has_avx2 =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
      __builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("pclmul") != 0;
  if (has_avx2) return mark_value_ends_avx2(p, blocks, out);
#endif
  return mark_value_ends_plain(p, blocks, out);
}

}  // namespace xwalk::yson
