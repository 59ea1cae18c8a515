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

/// Inline functions that read YSON tokens from bytes in memory: what the tree parser and the row
/// codec are made of. They allocate nothing and never read at or behind `end`.
///
/// Each takes the position by reference and moves it behind what it read. On a status other than Ok
/// the position is where the fault is (for numbers and strings: where the token begins).
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
  ExpectedSeparator,  ///< neither `;` nor the closing bracket
  SecondAttributes,   ///< `<…><…>`
  TooDeep,
};

/// Returns what was expected, as the first half of a message: "expected a value".
std::string_view describe(Status status);

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

inline uint64_t load64(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof(word));
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

Status read_varint_slow(const char*& p, const char* end, uint64_t& out);

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
  return detail::read_varint_slow(p, end, out);
}

inline int64_t zigzag_decode(uint64_t value) {
  return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
}
inline uint64_t zigzag_encode(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

/// The next four read what stands behind their marker byte.
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
  out = std::bit_cast<double>(detail::load64(p));
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
    uint64_t word = detail::load64(p);
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

/// Reads a quoted string, `p` behind the opening quote. `raw` is the text between the quotes, with
/// its escapes; `escaped` says whether there are any.
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

/// Undoes the escapes of a quoted string into `out`, which has room for raw.size() bytes (no escape
/// grows), and returns the size. `out` may be the raw text itself.
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

namespace detail {

inline constexpr std::array<uint64_t, 20> kWholePowersOfTen = [] {
  std::array<uint64_t, 20> powers{};
  uint64_t power = 1;
  for (uint64_t& out : powers) {
    out = power;
    power *= 10;
  }
  return powers;
}();

/// Digits that were read. More than fit in `value` are `count` kTooMany.
struct Digits {
  static constexpr int kTooMany = 1000;
  uint64_t value = 0;
  int count = 0;
};

/// Reads digits, eight at a time where the bytes allow it.
[[gnu::always_inline]] inline Digits read_digits(const char*& p, const char* end) {
  Digits out;
  if (end - p < 24) [[unlikely]] {
    for (; p < end && static_cast<unsigned char>(*p - '0') < 10; ++p) {
      if (out.count == 19) {
        out.count = Digits::kTooMany;
        break;
      }
      out.value = out.value * 10 + static_cast<unsigned char>(*p - '0');
      ++out.count;
    }
    return out;
  }
  for (;;) {
    uint64_t word = load64(p) ^ 0x3030303030303030;
    // The lowest byte that is no digit is found right; a carry spoils only bytes above it.
    uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    int digits = std::countr_zero(others) / 8;
    if (digits == 0) return out;
    // Zeros in front instead of what stands behind the digits.
    word <<= 64 - 8 * digits;
    word = (word * 10) + (word >> 8);
    word = (((word & 0x000000FF000000FF) * 0x000F424000000064) +
            (((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >>
           32;
    p += digits;
    out.count += digits;
    if (out.count > 19) [[unlikely]] {
      uint64_t value = 0;
      if (out.count > 20 || __builtin_mul_overflow(out.value, uint64_t{10000}, &value) ||
          __builtin_add_overflow(value, word, &out.value)) {
        out.count = Digits::kTooMany;
      }
      return out;
    }
    out.value = out.value * kWholePowersOfTen[static_cast<size_t>(digits)] + word;
    if (digits < 8) return out;
  }
}

inline constexpr std::array<double, 23> kPowersOfTen = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Places that `divide_by_power_of_ten` takes: all that 64 bits hold.
inline constexpr int kMostPlaces = 19;
/// Returns the double nearest to mantissa / 10^places, half to even; the mantissa is not 0, and
/// places are in [1, kMostPlaces].
double divide_by_power_of_ten(uint64_t mantissa, int places);

Status read_number_slow(const char*& p, const char* end, Number& out);

}  // namespace detail

/// Reads an integer or double in text, `p` at its first byte (digit, `+` or `-`). Doubles are
/// correctly rounded; too large ones are infinite, as for the living system.
inline Status read_number(const char*& p, const char* end, Number& out) {
  const char* at = p;
  bool negative = at < end && *at == '-';
  if (negative || (at < end && *at == '+')) ++at;
  detail::Digits whole = detail::read_digits(at, end);
  if (whole.count == 0 || whole.count > 20) [[unlikely]]
    return detail::read_number_slow(p, end, out);
  if (at == end || !detail::has_bit(*at, detail::kNumberTailBit)) {
    constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
    if (whole.value <= kMost) [[likely]] {
      out.kind = NumberKind::Int64;
      out.int64 = negative ? -static_cast<int64_t>(whole.value) : static_cast<int64_t>(whole.value);
      p = at;
      return Status::Ok;
    }
  } else if (*at == 'u') {
    if (!negative && (at + 1 == end || !detail::has_bit(at[1], detail::kNumberTailBit))) {
      out.kind = NumberKind::Uint64;
      out.uint64 = whole.value;
      p = at + 1;
      return Status::Ok;
    }
  } else if (*at == '.') {
    ++at;
    detail::Digits places = detail::read_digits(at, end);
    int digits = (whole.value == 0 ? 0 : whole.count) + places.count;
    if (digits <= 19 && (at == end || !detail::has_bit(*at, detail::kNumberTailBit))) {
      uint64_t mantissa =
          whole.value * detail::kWholePowersOfTen[static_cast<size_t>(places.count)] + places.value;
      double real = 0;
      if (mantissa <= (uint64_t{1} << 53)) {
        // Exact digits and an exact power of ten: the division rounds once (Clinger).
        real =
            static_cast<double>(mantissa) / detail::kPowersOfTen[static_cast<size_t>(places.count)];
      } else if (places.count == 0) {
        real = static_cast<double>(mantissa);
      } else {
        real = detail::divide_by_power_of_ten(mantissa, places.count);
      }
      out.kind = NumberKind::Double;
      out.real = negative ? -real : real;
      p = at;
      return Status::Ok;
    }
  }
  return detail::read_number_slow(p, end, out);
}

/// Returns true if a number in text may begin with this byte.
inline bool is_number_start(char c) {
  return detail::has_bit(c, detail::kDigitBit) || c == '-' || c == '+';
}

enum class Literal : uint8_t { False, True, Nan, Infinity, NegativeInfinity };

/// Reads `%true`, `%false`, `%nan`, `%inf`, `%+inf` or `%-inf`, `p` at the `%`.
Status read_literal(const char*& p, const char* end, Literal& out);

/// Reads and checks one value, attributes included, without building anything. White space in front
/// of it is skipped; a zero byte counts as the end of the bytes.
Status skip_value(const char*& p, const char* end, int max_depth = 255);

}  // namespace xwalk::yson
