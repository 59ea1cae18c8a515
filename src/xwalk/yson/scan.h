#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "xwalk/base/endian.h"

/// Inline functions that read YSON tokens from bytes in memory: what the tree parser and the row
/// codec are made of. They allocate nothing and never read at or after `end`.
///
/// Each takes the position by reference and moves it past the token. On a status other than Ok it
/// is the position of the error (for numbers and strings: where the token begins).
namespace xwalk::yson {

enum class Status : uint8_t {
  Ok,
  Truncated,       ///< the bytes end inside a value
  BadVarint,       ///< more than ten bytes with the continuation bit
  NegativeLength,  ///< a binary string of negative length
  BadNumber,       ///< neither int64, uint64 nor double
  NumberRange,     ///< an integer that does not fit 64 bits
  BadLiteral,      ///< `%` and no true, false, nan, inf, +inf, -inf
  ExpectedValue,
  ExpectedKey,
  ExpectedEquals,
  ExpectedItemEnd,       ///< neither `;` nor `]`
  ExpectedEntryEnd,      ///< neither `;` nor `}`
  ExpectedAttributeEnd,  ///< neither `;` nor `>`
  ExpectedSeparator,     ///< neither `;` nor the end
  ExpectedEnd,
  SecondAttributes,  ///< `<…><…>`
  TooDeep,
};

/// Returns what was expected, as the first half of a message: "expected a value".
std::string_view describe(Status status);

/// Returns the status if an item is followed by neither `;` nor the closing bracket. Items that no
/// bracket closes end with the input.
inline Status missing_after_item(int closing) {
  switch (closing) {
    case ']':
      return Status::ExpectedItemEnd;
    case '}':
      return Status::ExpectedEntryEnd;
    case '>':
      return Status::ExpectedAttributeEnd;
    default:
      return Status::ExpectedSeparator;
  }
}

namespace marker {
inline constexpr char kString = 0x01;
inline constexpr char kInt64 = 0x02;
inline constexpr char kDouble = 0x03;
inline constexpr char kFalse = 0x04;
inline constexpr char kTrue = 0x05;
inline constexpr char kUint64 = 0x06;
}  // namespace marker

namespace detail {

enum : uint8_t {
  kSpaceBit = 1,
  kWordStartBit = 2,   // [A-Za-z_]
  kWordBit = 4,        // [A-Za-z0-9_.%-]
  kDigitBit = 8,       // [0-9]
  kNumberTailBit = 16  // [0-9A-Za-z.+-]: may not follow a number
};

inline constexpr std::array<uint8_t, 256> kCharBits = [] {
  std::array<uint8_t, 256> bits{};
  for (int c = 0; c < 256; ++c) {
    bool digit = c >= '0' && c <= '9';
    bool alpha = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    uint8_t value = 0;
    if (c == ' ' || (c >= '\t' && c <= '\r')) value |= kSpaceBit;
    if (alpha || c == '_') value |= kWordStartBit;
    if (alpha || digit || c == '_' || c == '.' || c == '%' || c == '-') value |= kWordBit;
    if (digit) value |= kDigitBit;
    if (alpha || digit || c == '.' || c == '+' || c == '-') value |= kNumberTailBit;
    bits[static_cast<size_t>(c)] = value;
  }
  return bits;
}();

inline bool has_bit(char c, uint8_t bit) {
  return (kCharBits[static_cast<unsigned char>(c)] & bit) != 0;
}

/// Squeezes the seven payload bits of each of eight bytes together, in pairs, fours and eights.
inline uint64_t squeeze(uint64_t word) {
  word &= 0x7F7F7F7F7F7F7F7F;
  word = (word & 0x007F007F007F007F) | ((word & 0x7F007F007F007F00) >> 1);
  word = (word & 0x00003FFF00003FFF) | ((word & 0x3FFF00003FFF0000) >> 2);
  return (word & 0x000000000FFFFFFF) | ((word & 0x0FFFFFFF00000000) >> 4);
}

inline constexpr uint64_t kZeros = 0x3030303030303030;

/// Returns the number that the first `digits` of eight bytes are, 1 to 8 of them, each of them a
/// character xor '0'.
[[gnu::always_inline]] inline uint64_t join_digits(uint64_t word, int digits) {
  // Shifts out the bytes after the digits, which puts zeros in front.
  word <<= 64 - 8 * digits;
  word = (word * 10) + (word >> 8);
  return (((word & 0x000000FF000000FF) * 0x000F424000000064) +
          (((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >>
         32;
}

/// Reads `count` digits, 1 to 8, at `p`, where eight bytes can be read; `wrong` becomes nonzero if
/// one of them is not a digit.
[[gnu::always_inline]] inline uint64_t join_known(const char* p, int count, uint64_t& wrong) {
  const uint64_t word = (load_little_endian<uint64_t>(p) ^ kZeros) << (64 - 8 * count);
  wrong |= ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  return join_digits(word, 8);
}

/// Returns the double nearest to mantissa / 10^places, half to even. The mantissa must not be 0,
/// and places must be in [1, 19].
double divide_by_power_of_ten(uint64_t mantissa, int places);

/// A varint and the position after it; null if it is invalid.
struct VarintRead {
  const char* next;
  uint64_t value;
};
VarintRead read_long_varint(const char* p, const char* end);

}  // namespace detail

inline bool is_space(char c) { return detail::has_bit(c, detail::kSpaceBit); }

inline void skip_space(const char*& p, const char* end) {
  while (p < end && is_space(*p)) ++p;
}

/// Reads an unsigned varint of at most ten bytes; bits beyond the 64th are ignored, as the living
/// system does.
inline Status read_varint(const char*& p, const char* end, uint64_t& out) {
  if (p < end) [[likely]] {
    auto first = static_cast<unsigned char>(*p);
    if (first < 0x80) {
      out = first;
      ++p;
      return Status::Ok;
    }
  }
  detail::VarintRead read = detail::read_long_varint(p, end);
  if (read.next == nullptr) [[unlikely]]
    // Ten bytes that all go on are wrong, fewer are cut.
    return end - p < 10 ? Status::Truncated : Status::BadVarint;
  out = read.value;
  p = read.next;
  return Status::Ok;
}

inline int64_t zigzag_decode(uint64_t value) {
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}
inline uint64_t zigzag_encode(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

/// The next four read the value after their marker byte.
inline Status read_binary_int64(const char*& p, const char* end, int64_t& out) {
  uint64_t raw;
  Status status = read_varint(p, end, raw);
  if (status == Status::Ok) [[likely]]
    out = zigzag_decode(raw);
  return status;
}

inline Status read_binary_uint64(const char*& p, const char* end, uint64_t& out) {
  return read_varint(p, end, out);
}

inline Status read_binary_double(const char*& p, const char* end, double& out) {
  if (end - p < 8) [[unlikely]]
    return Status::Truncated;
  out = std::bit_cast<double>(load_little_endian<uint64_t>(p));
  p += 8;
  return Status::Ok;
}

/// The length is a zigzag varint of 32 bits; higher bits are ignored, as the living system does.
inline Status read_binary_length(const char*& p, const char* end, uint32_t& out) {
  const char* begin = p;
  uint64_t raw;
  Status status = read_varint(p, end, raw);
  if (status != Status::Ok) [[unlikely]]
    return status;
  if ((raw & 1) != 0) [[unlikely]] {
    p = begin;
    return Status::NegativeLength;
  }
  out = static_cast<uint32_t>(raw) >> 1;
  return Status::Ok;
}

inline Status read_binary_string(const char*& p, const char* end, std::string_view& out) {
  const char* begin = p;
  uint32_t length;
  Status status = read_binary_length(p, end, length);
  if (status != Status::Ok) [[unlikely]]
    return status;
  if (static_cast<uint64_t>(end - p) < length) [[unlikely]] {
    p = begin;
    return Status::Truncated;
  }
  out = {p, length};
  p += length;
  return Status::Ok;
}

/// Returns the first `"` or `\` in [p, end), or end.
inline const char* find_quote_or_backslash(const char* p, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  while (end - p >= 16) {
    __m128i block = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(
        _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash))));
    if (mask != 0) return p + std::countr_zero(mask);
    p += 16;
  }
#else
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHigh = 0x8080808080808080;
  while (end - p >= 8) {
    uint64_t word = load_little_endian<uint64_t>(p);
    uint64_t a = word ^ (kOnes * '"');
    uint64_t b = word ^ (kOnes * '\\');
    uint64_t found = (((a - kOnes) & ~a) | ((b - kOnes) & ~b)) & kHigh;
    if (found != 0) return p + std::countr_zero(found) / 8;
    p += 8;
  }
#endif
  while (p < end && *p != '"' && *p != '\\') ++p;
  return p;
}

/// Reads a quoted string, with `p` after the opening quote. `raw` is the text between the quotes,
/// with its escapes; `escaped` says whether there are any.
inline Status read_quoted(const char*& p, const char* end, std::string_view& raw, bool& escaped) {
  const char* begin = p;
  const char* at = find_quote_or_backslash(p, end);
  escaped = false;
  while (at < end && *at == '\\') {
    escaped = true;
    if (end - at < 2) {
      at = end;
      break;
    }
    at = find_quote_or_backslash(at + 2, end);
  }
  if (at >= end) [[unlikely]] {
    p = begin - 1;
    return Status::Truncated;
  }
  raw = {begin, static_cast<size_t>(at - begin)};
  p = at + 1;
  return Status::Ok;
}

/// Returns true if a string without quotes may begin with this byte.
inline bool is_word_start(char c) { return detail::has_bit(c, detail::kWordStartBit); }

/// Reads a string without quotes, `p` at its first byte, which is_word_start.
inline std::string_view read_word(const char*& p, const char* end) {
  const char* begin = p;
  while (p < end && detail::has_bit(*p, detail::kWordBit)) ++p;
  return {begin, static_cast<size_t>(p - begin)};
}

/// Undoes the escapes of a quoted string into `out`, which has space for raw.size() bytes (no
/// escape grows), and returns the size. `out` may be the raw text itself.
size_t unescape(std::string_view raw, char* out);

enum class NumberKind : uint8_t { Int64, Uint64, Double };

struct Number {
  NumberKind kind = NumberKind::Int64;
  union {
    int64_t int64 = 0;
    uint64_t uint64;
    double real;
  };
};

/// Reads an integer or double in text, `p` at its first byte (digit, `+` or `-`). Doubles are
/// correctly rounded; too large ones are infinite, as for the living system.
Status read_number(const char*& p, const char* end, Number& out);

/// What the next three return, in registers: the position after the number, or null if
/// `read_number` must decide.
struct Int64Read {
  const char* next;
  int64_t value;
};
struct Uint64Read {
  const char* next;
  uint64_t value;
};
struct DoubleRead {
  const char* next;
  double value;
};

/// The usual numbers in text, for decoders: at most 64 bits of digits, no exponent, no `+`, and at
/// least kNumberWindow bytes to read.
inline constexpr ptrdiff_t kNumberWindow = 64;
Int64Read read_usual_int64(const char* p, const char* end);
Uint64Read read_usual_uint64(const char* p, const char* end);
DoubleRead read_usual_double(const char* p, const char* end);

/// Reads digits that are exactly [p, end), with 24 readable bytes from `p`; false if they are not a
/// number of at most 64 bits. For callers that know where a number ends, so that nothing waits for
/// finding its end.
[[gnu::always_inline]] inline bool read_known_digits(const char* p, const char* end,
                                                     uint64_t& out) {
  constexpr uint64_t kEight = 100'000'000;
  const ptrdiff_t count = end - p;
  uint64_t wrong = 0;
  if (count <= 8) {
    if (count < 1) return false;
    out = detail::join_known(p, static_cast<int>(count), wrong);
    return wrong == 0;
  }
  if (count <= 16) {
    out = detail::join_known(p, static_cast<int>(count) - 8, wrong) * kEight;
    out += detail::join_known(end - 8, 8, wrong);
    return wrong == 0;
  }
  if (count > 20) return false;
  const uint64_t high = detail::join_known(p, static_cast<int>(count) - 16, wrong);
  const uint64_t low =
      detail::join_known(end - 16, 8, wrong) * kEight + detail::join_known(end - 8, 8, wrong);
  out = high * (kEight * kEight) + low;
  // 2^64 is 1844 6744073709551616.
  return wrong == 0 && (high < 1844 || (high == 1844 && low < 6744073709551616));
}

/// Reads a double that is exactly [p, end), written with a point and without an exponent, with 24
/// readable bytes from `p`; false if `read_number` must decide.
bool read_known_double(const char* p, const char* end, double& out);

/// Decodes a quoted string that ends before `end`, with `p` after its opening quote, into `out`,
/// which must have space for end - p + 16 bytes, and moves `out` past the text. Returns the
/// position after the closing quote, or null if it is missing.
const char* unescape_quoted(const char* p, const char* end, char*& out);

/// Returns true if a number in text may begin with this byte.
inline bool is_number_start(char c) {
  return detail::has_bit(c, detail::kDigitBit) || c == '-' || c == '+';
}

enum class Literal : uint8_t { False, True, Nan, Infinity, NegativeInfinity };

/// Reads `%true`, `%false`, `%nan`, `%inf`, `%+inf` or `%-inf`, `p` at the `%`.
Status read_literal(const char*& p, const char* end, Literal& out);

/// Reads and checks one value, attributes included, without building anything. White space in front
/// of it is skipped.
Status skip_value(const char*& p, const char* end, int max_depth = 255);

}  // namespace xwalk::yson
