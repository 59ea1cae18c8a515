#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// Text by blocks of 64 bytes, one bit a byte, the first byte in the lowest bit.
namespace xwalk::yson {

inline constexpr size_t kBlock = 64;

/// What tells where strings begin and end, and where values do.
struct StringMasks {
  uint64_t quote = 0;
  uint64_t backslash = 0;
  uint64_t value_end = 0;  ///< ; }
};

#if defined(__SSE2__)

inline StringMasks classify_strings(const char* p) {
  StringMasks masks;
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i separator = _mm_set1_epi8(';');
  const __m128i brace = _mm_set1_epi8('}');
  for (unsigned i = 0; i < kBlock; i += 16) {
    const __m128i bytes =
        _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p + i)));
    auto put = [i](uint64_t& mask, __m128i found) {
      mask |= static_cast<uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << i;
    };
    put(masks.quote, _mm_cmpeq_epi8(bytes, quote));
    put(masks.backslash, _mm_cmpeq_epi8(bytes, backslash));
    put(masks.value_end,
        _mm_or_si128(_mm_cmpeq_epi8(bytes, separator), _mm_cmpeq_epi8(bytes, brace)));
  }
  return masks;
}

#else

inline StringMasks classify_strings(const char* p) {
  StringMasks masks;
  for (unsigned i = 0; i < kBlock; ++i) {
    const uint64_t bit = uint64_t{1} << i;
    if (p[i] == '"') masks.quote |= bit;
    if (p[i] == '\\') masks.backslash |= bit;
    if (p[i] == ';' || p[i] == '}') masks.value_end |= bit;
  }
  return masks;
}

#endif

/// Returns the bytes with an odd number of backslashes before them. `carry` goes from block to
/// block.
inline uint64_t find_escaped(uint64_t backslash, uint64_t& carry) {
  if (backslash == 0) {
    uint64_t escaped = carry;
    carry = 0;
    return escaped;
  }
  constexpr uint64_t kEven = 0x5555555555555555;
  backslash &= ~carry;
  uint64_t follows = backslash << 1 | carry;
  uint64_t odd_starts = backslash & ~kEven & ~follows;
  uint64_t even_sequences = 0;
  carry = __builtin_add_overflow(odd_starts, backslash, &even_sequences) ? 1 : 0;
  return (kEven ^ (even_sequences << 1)) & follows;
}

/// Returns for each bit the parity of the bits up to and with it.
inline uint64_t prefix_parity(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

/// State carried from block to block.
struct StringState {
  uint64_t escaped = 0;    ///< 1 after an odd number of backslashes
  uint64_t in_string = 0;  ///< all ones within a string
};

/// What tells where items of a list of values end; all of it outside strings.
struct ItemMasks {
  uint64_t open = 0;       ///< [ { <
  uint64_t angle = 0;      ///< <
  uint64_t close = 0;      ///< ] } >
  uint64_t separator = 0;  ///< ;
  uint64_t control = 0;    ///< zero and the markers of binary tokens
  uint64_t odd = 0;        ///< the brackets of the block up to and with the byte are odd in number
  uint32_t opens = 0;      ///< how many bits of `open` are set
  uint32_t closes = 0;     ///< and of `close`
  uint32_t odd_separators = 0;   ///< separators where `odd` is set
  uint32_t even_separators = 0;  ///< and where it is not
};

// The next three use what `processor_at_hand` says.

/// Fills the masks of whole blocks.
void mark_items(const char* p, size_t blocks, StringState* state, ItemMasks* out);

/// Counts newlines.
uint64_t count_newlines(std::string_view bytes);

/// Writes the positions of `;` and `}` outside strings in whole blocks to `out`, in bytes from `p`
/// on. There may be at most 1024 blocks, and the first must begin outside a string. `out` must have
/// space for kBlock more entries than there are bytes. Returns the number of positions.
size_t mark_value_ends(const char* p, size_t blocks, uint16_t* out);

}  // namespace xwalk::yson
