#include "xwalk/yson/block_masks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "xwalk/base/processor.h"

namespace xwalk::yson {
namespace {

/// Writes the positions of the bits of a block at `at`. Returns a pointer past the last one
/// written.
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

/// What tells where strings and items end, in a block.
struct ItemBytes {
  uint64_t quote = 0;
  uint64_t backslash = 0;
  uint64_t open = 0;
  uint64_t angle = 0;
  uint64_t close = 0;
  uint64_t separator = 0;
  uint64_t control = 0;
};

/// The last byte before those that text may have: zero and the markers of binary tokens.
constexpr char kLastControl = 7;

#if defined(__SSE2__)

ItemBytes classify_items(const char* p) {
  ItemBytes masks;
  const __m128i lower = _mm_set1_epi8(0x20);
  const __m128i last_control = _mm_set1_epi8(kLastControl);
  for (unsigned i = 0; i < kBlock; i += 16) {
    __m128i bytes = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p + i)));
    auto put = [i](uint64_t& mask, __m128i found) {
      mask |= static_cast<uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << i;
    };
    auto equals = [](__m128i a, char c) { return _mm_cmpeq_epi8(a, _mm_set1_epi8(c)); };
    // `[` and `{`, `]` and `}` differ in one bit.
    __m128i folded = _mm_or_si128(bytes, lower);
    put(masks.quote, equals(bytes, '"'));
    put(masks.backslash, equals(bytes, '\\'));
    put(masks.separator, equals(bytes, ';'));
    put(masks.angle, equals(bytes, '<'));
    put(masks.open, _mm_or_si128(equals(folded, '{'), equals(bytes, '<')));
    put(masks.close, _mm_or_si128(equals(folded, '}'), equals(bytes, '>')));
    put(masks.control, _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes));
  }
  return masks;
}

#else

ItemBytes classify_items(const char* p) {
  ItemBytes masks;
  for (unsigned i = 0; i < kBlock; ++i) {
    uint64_t bit = uint64_t{1} << i;
    char c = p[i];
    if (c == '"') masks.quote |= bit;
    if (c == '\\') masks.backslash |= bit;
    if (c == ';') masks.separator |= bit;
    if (c == '[' || c == '{' || c == '<') masks.open |= bit;
    if (c == '<') masks.angle |= bit;
    if (c == ']' || c == '}' || c == '>') masks.close |= bit;
    if (static_cast<unsigned char>(c) <= kLastControl) masks.control |= bit;
  }
  return masks;
}

#endif

/// Keeps only the bits of a block that are outside strings.
[[gnu::always_inline]] inline void keep_outside(const ItemBytes& bytes, uint64_t strings,
                                                ItemMasks* out) {
  out->open = bytes.open & ~strings;
  out->close = bytes.close & ~strings;
  out->separator = bytes.separator & ~strings;
  out->control = bytes.control & ~strings;
  out->angle = bytes.angle & ~strings;
}

/// `odd` is the parity of the brackets up to each byte.
[[gnu::always_inline]] inline void count_bits(uint64_t odd, ItemMasks* out) {
  out->odd = odd;
  out->opens = static_cast<uint32_t>(std::popcount(out->open));
  out->closes = static_cast<uint32_t>(std::popcount(out->close));
  out->odd_separators = static_cast<uint32_t>(std::popcount(out->separator & odd));
  out->even_separators = static_cast<uint32_t>(std::popcount(out->separator & ~odd));
}

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

void mark_items_plain(const char* p, size_t blocks, StringState* state, ItemMasks* out) {
  for (size_t i = 0; i < blocks; ++i) {
    const ItemBytes bytes = classify_items(p + i * kBlock);
    const uint64_t quotes = bytes.quote & ~find_escaped(bytes.backslash, state->escaped);
    const uint64_t strings = prefix_parity(quotes) ^ state->in_string;
    state->in_string = carried(strings);
    keep_outside(bytes, strings, &out[i]);
    count_bits(prefix_parity(out[i].open | out[i].close), &out[i]);
  }
}

uint64_t count_newlines_plain(std::string_view bytes) {
  uint64_t count = 0;
  size_t at = 0;
#if defined(__SSE2__)
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i zero = _mm_setzero_si128();
  __m128i sums = zero;
  while (bytes.size() - at >= 16) {
    // Each step takes one from a byte; 255 of them fit.
    const size_t stop = at + std::min<size_t>((bytes.size() - at) / 16, 255) * 16;
    __m128i steps = zero;
    for (; at < stop; at += 16) {
      const __m128i block =
          _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(&bytes[at])));
      steps = _mm_sub_epi8(steps, _mm_cmpeq_epi8(block, newline));
    }
    sums = _mm_add_epi64(sums, _mm_sad_epu8(steps, zero));
  }
  count = static_cast<uint64_t>(_mm_cvtsi128_si64(sums)) +
          static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(sums, sums)));
#endif
  for (; at < bytes.size(); ++at) count += bytes[at] == '\n' ? 1 : 0;
  return count;
}

#if defined(__x86_64__)

inline uint64_t join(int low, int high) {
  return static_cast<uint64_t>(static_cast<uint32_t>(low)) |
         static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32;
}

/// A product without carries by ones is the parity of the bits so far.
[[gnu::target("avx2,bmi,popcnt,pclmul")]] inline uint64_t parity_by_product(uint64_t bits) {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<int64_t>(bits)), _mm_set1_epi8('\xff'), 0);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(product));
}

[[gnu::target("avx2,bmi,popcnt,pclmul")]] size_t mark_value_ends_avx2(const char* p, size_t blocks,
                                                                      uint16_t* out) {
  const uint16_t* const begin = out;
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i separator = _mm256_set1_epi8(';');
  const __m256i brace = _mm256_set1_epi8('}');
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
    const uint64_t strings = parity_by_product(quotes) ^ inside;
    inside = carried(strings);
    out = put_places(ends & ~strings, i * kBlock, out);
  }
  return static_cast<size_t>(out - begin);
}

[[gnu::target("avx2,bmi,popcnt,pclmul")]] void mark_items_avx2(const char* p, size_t blocks,
                                                               StringState* state, ItemMasks* out) {
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i backslash = _mm256_set1_epi8('\\');
  const __m256i separator = _mm256_set1_epi8(';');
  const __m256i lower = _mm256_set1_epi8(0x20);
  const __m256i brace_open = _mm256_set1_epi8('{');
  const __m256i brace_close = _mm256_set1_epi8('}');
  const __m256i angle_open = _mm256_set1_epi8('<');
  const __m256i angle_close = _mm256_set1_epi8('>');
  const __m256i last_control = _mm256_set1_epi8(kLastControl);
  for (size_t i = 0; i < blocks; ++i) {
    const auto* from = static_cast<const __m256i*>(static_cast<const void*>(p + i * kBlock));
    const __m256i low = _mm256_loadu_si256(from);
    const __m256i high = _mm256_loadu_si256(from + 1);
    const __m256i low_folded = _mm256_or_si256(low, lower);
    const __m256i high_folded = _mm256_or_si256(high, lower);
    ItemBytes bytes;
    bytes.backslash = join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, backslash)),
                           _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, backslash)));
    bytes.quote = join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, quote)),
                       _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, quote)));
    bytes.separator = join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, separator)),
                           _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, separator)));
    const __m256i low_angle = _mm256_cmpeq_epi8(low, angle_open);
    const __m256i high_angle = _mm256_cmpeq_epi8(high, angle_open);
    bytes.angle = join(_mm256_movemask_epi8(low_angle), _mm256_movemask_epi8(high_angle));
    bytes.open =
        bytes.angle | join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low_folded, brace_open)),
                           _mm256_movemask_epi8(_mm256_cmpeq_epi8(high_folded, brace_open)));
    bytes.close =
        join(_mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpeq_epi8(low_folded, brace_close),
                                                  _mm256_cmpeq_epi8(low, angle_close))),
             _mm256_movemask_epi8(_mm256_or_si256(_mm256_cmpeq_epi8(high_folded, brace_close),
                                                  _mm256_cmpeq_epi8(high, angle_close))));
    bytes.control =
        join(_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(low, last_control), low)),
             _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(high, last_control), high)));
    const uint64_t quotes = bytes.quote & ~find_escaped(bytes.backslash, state->escaped);
    const uint64_t strings = parity_by_product(quotes) ^ state->in_string;
    state->in_string = carried(strings);
    keep_outside(bytes, strings, &out[i]);
    count_bits(parity_by_product(out[i].open | out[i].close), &out[i]);
  }
}

XWALK_FOR_AVX512 size_t mark_value_ends_avx512(const char* p, size_t blocks, uint16_t* out) {
  const uint16_t* const begin = out;
  const __m512i quote = _mm512_set1_epi8('"');
  const __m512i backslash = _mm512_set1_epi8('\\');
  const __m512i separator = _mm512_set1_epi8(';');
  const __m512i brace = _mm512_set1_epi8('}');
  alignas(64) std::array<uint8_t, kBlock> counted;
  std::iota(counted.begin(), counted.end(), uint8_t{0});
  const __m512i places = _mm512_load_si512(counted.data());
  uint64_t escape = 0;
  uint64_t inside = 0;
  for (size_t i = 0; i < blocks; ++i) {
    const __m512i bytes = _mm512_loadu_si512(p + i * kBlock);
    const uint64_t slashes = _mm512_cmpeq_epi8_mask(bytes, backslash);
    const uint64_t quotes = _mm512_cmpeq_epi8_mask(bytes, quote) & ~find_escaped(slashes, escape);
    const uint64_t strings = parity_by_product(quotes) ^ inside;
    inside = carried(strings);
    const uint64_t ends =
        (_mm512_cmpeq_epi8_mask(bytes, separator) | _mm512_cmpeq_epi8_mask(bytes, brace)) &
        ~strings;
    // Into a register first: straight into memory it takes a hundred cycles on some processors.
    const __m512i found = _mm512_maskz_compress_epi8(ends, places);
    const __m512i from = _mm512_set1_epi16(static_cast<int16_t>(i * kBlock));
    const __m256i first = _mm512_maskz_extracti64x4_epi64(0xF, found, 0);
    _mm512_storeu_si512(out, _mm512_add_epi16(_mm512_cvtepu8_epi16(first), from));
    const auto count = static_cast<size_t>(std::popcount(ends));
    if (count > kBlock / 2) [[unlikely]] {
      const __m256i last = _mm512_maskz_extracti64x4_epi64(0xF, found, 1);
      _mm512_storeu_si512(out + kBlock / 2, _mm512_add_epi16(_mm512_cvtepu8_epi16(last), from));
    }
    out += count;
  }
  return static_cast<size_t>(out - begin);
}

XWALK_FOR_AVX512 uint64_t count_newlines_avx512(const char* p, size_t blocks) {
  const __m512i newline = _mm512_set1_epi8('\n');
  uint64_t count = 0;
  for (size_t i = 0; i < blocks; ++i) {
    const uint64_t found = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p + i * kBlock), newline);
    count += static_cast<uint64_t>(std::popcount(found));
  }
  return count;
}

#endif

}  // namespace

size_t mark_value_ends(const char* p, size_t blocks, uint16_t* out) {
#if defined(__x86_64__)
  const Processor with = processor_at_hand();
  if (with == Processor::Avx512) return mark_value_ends_avx512(p, blocks, out);
  if (with == Processor::Avx2) return mark_value_ends_avx2(p, blocks, out);
#endif
  return mark_value_ends_plain(p, blocks, out);
}

uint64_t count_newlines(std::string_view bytes) {
#if defined(__x86_64__)
  if (processor_at_hand() == Processor::Avx512) {
    const size_t blocks = bytes.size() / kBlock;
    return count_newlines_avx512(bytes.data(), blocks) +
           count_newlines_plain(bytes.substr(blocks * kBlock));
  }
#endif
  return count_newlines_plain(bytes);
}

void mark_items(const char* p, size_t blocks, StringState* state, ItemMasks* out) {
#if defined(__x86_64__)
  if (processor_at_hand() >= Processor::Avx2) return mark_items_avx2(p, blocks, state, out);
#endif
  mark_items_plain(p, blocks, state, out);
}

}  // namespace xwalk::yson
