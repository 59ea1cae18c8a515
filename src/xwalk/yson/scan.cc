#include "xwalk/yson/scan.h"

#include <array>
#include <bit>
#include <charconv>
#include <limits>

#include "xwalk/base/endian.h"
#include "xwalk/base/int128.h"
#include "xwalk/yson/escape_internal.h"

namespace xwalk::yson {
namespace detail {

VarintRead read_long_varint(const char* p, const char* end) {
  if (end - p >= 10) [[likely]] {
    uint64_t word = load_little_endian<uint64_t>(p);
    uint64_t stops = ~word & 0x8080808080808080;
    if (stops != 0) {
      int size = std::countr_zero(stops) / 8 + 1;
      return {p + size, squeeze(word & (~uint64_t{0} >> (64 - 8 * size)))};
    }
    uint64_t low = squeeze(word);
    auto ninth = static_cast<unsigned char>(p[8]);
    low |= static_cast<uint64_t>(ninth & 0x7F) << 56;
    if (ninth < 0x80) return {p + 9, low};
    auto tenth = static_cast<unsigned char>(p[9]);
    if (tenth < 0x80) return {p + 10, low | (static_cast<uint64_t>(tenth) << 63)};
    return {nullptr, 0};
  }
  uint64_t value = 0;
  const char* at = p;
  for (int shift = 0; shift < 70 && at < end; shift += 7) {
    auto byte = static_cast<unsigned char>(*at++);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return {at, value};
  }
  return {nullptr, 0};
}

}  // namespace detail

namespace {

bool is_digit(char c) { return detail::has_bit(c, detail::kDigitBit); }

/// Decides between zero and infinity for digits that from_chars found out of range, by the decimal
/// exponent of the first digit that is not 0.
double out_of_range_value(const char* p, const char* end) {
  int64_t point = 0;  // places before the decimal point, counted from the first non-zero digit
  bool seen_digit = false;
  bool seen_point = false;
  for (; p < end && *p != 'e' && *p != 'E'; ++p) {
    if (*p == '.') {
      seen_point = true;
      continue;
    }
    if (*p != '0') seen_digit = true;
    if (seen_digit && !seen_point) ++point;
    if (!seen_digit && seen_point) --point;
  }
  int64_t exponent = 0;
  if (p < end) {
    ++p;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) ++p;
    for (; p < end && exponent < (int64_t{1} << 40); ++p) exponent = exponent * 10 + (*p - '0');
    if (negative) exponent = -exponent;
  }
  return point + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

/// Parses the whole of [begin, end) as [+-]digits[.digits][e[+-]digits], digits on one side of the
/// point at least.
bool parse_double(const char* begin, const char* end, double& out) {
  bool negative = begin < end && *begin == '-';
  if (begin < end && (*begin == '-' || *begin == '+')) ++begin;
  const char* p = begin;
  bool digits = false;
  for (; p < end && is_digit(*p); ++p) digits = true;
  if (p < end && *p == '.') ++p;
  for (; p < end && is_digit(*p); ++p) digits = true;
  if (!digits) return false;
  if (p < end && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p < end && (*p == '-' || *p == '+')) ++p;
    if (p == end) return false;
    while (p < end && is_digit(*p)) ++p;
  }
  if (p != end) return false;
  double value = 0;
  std::from_chars_result result = std::from_chars(begin, end, value);
  if (result.ec == std::errc::result_out_of_range) {
    value = out_of_range_value(begin, end);
  } else if (result.ec != std::errc() || result.ptr != end) {
    return false;
  }
  out = negative ? -value : value;
  return true;
}

/// Parses the whole of [p, end) as digits.
Status parse_digits(const char* p, const char* end, uint64_t& out) {
  if (p == end) return Status::BadNumber;
  uint64_t value = 0;
  bool overflow = false;
  for (; p < end; ++p) {
    if (!is_digit(*p)) return Status::BadNumber;
    auto digit = static_cast<uint64_t>(*p - '0');
    overflow |= __builtin_mul_overflow(value, uint64_t{10}, &value);
    overflow |= __builtin_add_overflow(value, digit, &value);
  }
  out = value;
  return overflow ? Status::NumberRange : Status::Ok;
}

/// Places of a number of 64 bits.
constexpr int kMostPlaces = 19;
constexpr std::array<uint64_t, 20> kWholePowersOfTen = [] {
  std::array<uint64_t, 20> powers{};
  uint64_t power = 1;
  for (uint64_t& out : powers) {
    out = power;
    power *= 10;
  }
  return powers;
}();

/// 2^(127 + z) / 5^n, rounded up, where 2^z is the least power of two above 5^n: the upper 128 bits
/// of 1 / 10^n.
struct Reciprocal {
  uint64_t high = 0;
  uint64_t low = 0;
  int z = 0;
};

constexpr std::array<Reciprocal, kMostPlaces + 1> kReciprocals = [] {
  std::array<Reciprocal, kMostPlaces + 1> out{};
  uint64_t power = 1;
  for (size_t n = 1; n < out.size(); ++n) {
    power *= 5;
    int z = static_cast<int>(std::bit_width(power));
    Uint128 dividend = Uint128{1} << (63 + z);
    auto high = static_cast<uint64_t>(dividend / power);
    Uint128 rest = (dividend % power) << 64;
    auto low = static_cast<uint64_t>(rest / power);
    // 5^n divides no power of two: never exact, so one more is rounding up.
    ++low;
    if (low == 0) ++high;
    out[n] = {high, low, z};
  }
  return out;
}();

}  // namespace

double detail::divide_by_power_of_ten(uint64_t mantissa, int places) {
  // Eisel and Lemire: the product with the upper 64 bits of the reciprocal decides in nearly all
  // cases, with the lower 64 bits in all others of this range of places.
  const Reciprocal& reciprocal = kReciprocals[static_cast<size_t>(places)];
  int zeros = std::countl_zero(mantissa);
  mantissa <<= zeros;
  Uint128 product = Uint128{mantissa} * reciprocal.high;
  constexpr uint64_t kRoundingBits = 0x1FF;
  if ((static_cast<uint64_t>(product >> 64) & kRoundingBits) == kRoundingBits) {
    product += static_cast<uint64_t>((Uint128{mantissa} * reciprocal.low) >> 64);
  }
  auto high = static_cast<uint64_t>(product >> 64);
  auto low = static_cast<uint64_t>(product);
  int upper = static_cast<int>(high >> 63);
  // 53 bits and the one that rounds.
  int shift = upper + 9;
  uint64_t bits = high >> shift;
  // In the middle between two doubles, to the even one. Only powers of five below 2^64 can divide
  // the mantissa, and only then is the product exact.
  if (low <= 1 && places <= 4 && (bits & 3) == 1 && (bits << shift) == high) bits &= ~uint64_t{1};
  bits += bits & 1;
  bits >>= 1;
  // The leading one of the bits is not stored: it adds one to the exponent.
  int exponent = 63 - zeros + upper - reciprocal.z - places + 1023;
  return std::bit_cast<double>((static_cast<uint64_t>(exponent - 1) << 52) + bits);
}

namespace {

Status read_number_slow(const char*& p, const char* end, Number& out) {
  const char* begin = p;
  const char* at = begin;
  bool real = false;
  bool is_unsigned = false;
  for (; at < end && detail::has_bit(*at, detail::kNumberTailBit); ++at) {
    if (*at == '.' || *at == 'e' || *at == 'E') real = true;
    if (*at == 'u') is_unsigned = true;
  }
  if (real) {
    out.kind = NumberKind::Double;
    double value = 0;
    if (is_unsigned || !parse_double(begin, at, value)) return Status::BadNumber;
    out.real = value;
    p = at;
    return Status::Ok;
  }
  bool negative = begin < at && *begin == '-';
  const char* digits = begin < at && (*begin == '-' || *begin == '+') ? begin + 1 : begin;
  if (is_unsigned) {
    if (negative || at[-1] != 'u') return Status::BadNumber;
    uint64_t value = 0;
    Status status = parse_digits(digits, at - 1, value);
    if (status != Status::Ok) return status;
    out.kind = NumberKind::Uint64;
    out.uint64 = value;
    p = at;
    return Status::Ok;
  }
  uint64_t magnitude = 0;
  Status status = parse_digits(digits, at, magnitude);
  if (status != Status::Ok) return status;
  constexpr uint64_t kMagnitude = uint64_t{1} << 63;
  if (magnitude > (negative ? kMagnitude : kMagnitude - 1)) return Status::NumberRange;
  out.kind = NumberKind::Int64;
  out.int64 = static_cast<int64_t>(negative ? ~magnitude + 1 : magnitude);
  p = at;
  return Status::Ok;
}

/// Returns how many of eight bytes, each a character xor '0', are digits before the first other
/// byte.
[[gnu::always_inline]] inline int leading_digits(uint64_t word) {
  // The lowest byte that is not a digit is found correctly. A carry affects only bytes above it.
  return std::countr_zero(((word + 0x7676767676767676) | word) & 0x8080808080808080) / 8;
}

struct Digits {
  uint64_t value = 0;
  int count = 0;
};

/// Reads up to 20 digits, kNumberWindow bytes at hand; more, or above 64 bits, gives no digits.
[[gnu::always_inline]] inline Digits read_usual_digits(const char* p) {
  uint64_t word = load_little_endian<uint64_t>(p) ^ detail::kZeros;
  int first = leading_digits(word);
  if (first == 0) return {};
  uint64_t value = detail::join_digits(word, first);
  if (first < 8) return {value, first};
  word = load_little_endian<uint64_t>(p + 8) ^ detail::kZeros;
  int second = leading_digits(word);
  if (second == 0) return {value, 8};
  value =
      value * kWholePowersOfTen[static_cast<size_t>(second)] + detail::join_digits(word, second);
  if (second < 8) return {value, 8 + second};
  word = load_little_endian<uint64_t>(p + 16) ^ detail::kZeros;
  int third = leading_digits(word);
  if (third == 0) return {value, 16};
  if (third > 4) return {};
  uint64_t scaled = 0;
  if (__builtin_mul_overflow(value, kWholePowersOfTen[static_cast<size_t>(third)], &scaled) ||
      __builtin_add_overflow(scaled, detail::join_digits(word, third), &value)) {
    return {};
  }
  return {value, 16 + third};
}

[[gnu::always_inline]] inline bool ends_number(char c) {
  return !detail::has_bit(c, detail::kNumberTailBit);
}

/// Reads the digits after the point.
[[gnu::always_inline]] inline DoubleRead finish_double(const char* p, const Digits& whole,
                                                       bool negative) {
  Digits places = read_usual_digits(p);
  p += places.count;
  int count = (whole.value == 0 ? 0 : whole.count) + places.count;
  if (count > 19 || !ends_number(*p)) return {nullptr, 0};
  auto scale = static_cast<size_t>(places.count);
  uint64_t mantissa = whole.value * kWholePowersOfTen[scale] + places.value;
  double real = 0;
  if (mantissa == 0 || scale == 0) {
    real = static_cast<double>(mantissa);
  } else {
    real = detail::divide_by_power_of_ten(mantissa, places.count);
  }
  return {p, negative ? -real : real};
}

}  // namespace

bool read_known_double(const char* p, const char* end, double& out) {
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  constexpr uint64_t kOnes = 0x0101010101010101;
  const uint64_t word = load_little_endian<uint64_t>(p) ^ (kOnes * '.');
  const uint64_t found = (word - kOnes) & ~word & (kOnes << 7);
  // Longer whole parts are rare.
  if (found == 0) return false;
  const int digits = std::countr_zero(found) / 8;
  const char* const places = p + digits + 1;
  const ptrdiff_t scale = end - places;
  if (digits == 0 || digits + scale > 19) return false;
  uint64_t wrong = 0;
  const uint64_t whole = detail::join_known(p, digits, wrong);
  if (wrong != 0) return false;
  if (scale == 0) {
    out = negative ? -static_cast<double>(whole) : static_cast<double>(whole);
    return true;
  }
  uint64_t fraction = 0;
  if (!read_known_digits(places, end, fraction)) return false;
  const uint64_t mantissa = whole * kWholePowersOfTen[static_cast<size_t>(scale)] + fraction;
  const double real =
      mantissa == 0 ? 0 : detail::divide_by_power_of_ten(mantissa, static_cast<int>(scale));
  out = negative ? -real : real;
  return true;
}

Int64Read read_usual_int64(const char* p, const char* end) {
  if (end - p < kNumberWindow) return {nullptr, 0};
  bool negative = *p == '-';
  p += negative ? 1 : 0;
  Digits digits = read_usual_digits(p);
  p += digits.count;
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (digits.count == 0 || digits.value > kMost || !ends_number(*p)) return {nullptr, 0};
  auto value = static_cast<int64_t>(digits.value);
  return {p, negative ? -value : value};
}

Uint64Read read_usual_uint64(const char* p, const char* end) {
  if (end - p < kNumberWindow) return {nullptr, 0};
  Digits digits = read_usual_digits(p);
  p += digits.count;
  if (digits.count == 0 || *p != 'u' || !ends_number(p[1])) return {nullptr, 0};
  return {p + 1, digits.value};
}

DoubleRead read_usual_double(const char* p, const char* end) {
  if (end - p < kNumberWindow) return {nullptr, 0};
  bool negative = *p == '-';
  p += negative ? 1 : 0;
  Digits whole = read_usual_digits(p);
  p += whole.count;
  if (whole.count == 0 || *p != '.') return {nullptr, 0};
  return finish_double(p + 1, whole, negative);
}

Status read_number(const char*& p, const char* end, Number& out) {
  if (end - p < kNumberWindow) return read_number_slow(p, end, out);
  const char* at = p;
  bool negative = *at == '-';
  at += negative ? 1 : 0;
  Digits whole = read_usual_digits(at);
  at += whole.count;
  if (whole.count == 0) return read_number_slow(p, end, out);
  if (*at == '.') {
    DoubleRead read = finish_double(at + 1, whole, negative);
    if (read.next == nullptr) return read_number_slow(p, end, out);
    out.kind = NumberKind::Double;
    out.real = read.value;
    p = read.next;
    return Status::Ok;
  }
  if (*at == 'u' && !negative && ends_number(at[1])) {
    out.kind = NumberKind::Uint64;
    out.uint64 = whole.value;
    p = at + 1;
    return Status::Ok;
  }
  constexpr uint64_t kMost = std::numeric_limits<int64_t>::max();
  if (whole.value > kMost || !ends_number(*at)) return read_number_slow(p, end, out);
  out.kind = NumberKind::Int64;
  out.int64 = negative ? -static_cast<int64_t>(whole.value) : static_cast<int64_t>(whole.value);
  p = at;
  return Status::Ok;
}

std::string_view describe(Status status) {
  switch (status) {
    case Status::Ok:
      return "nothing wrong";
    case Status::Truncated:
      return "expected more bytes";
    case Status::BadVarint:
      return "expected a varint of at most 10 bytes";
    case Status::NegativeLength:
      return "expected a string length of 0 or more";
    case Status::BadNumber:
      return "expected an int64, uint64 or double";
    case Status::NumberRange:
      return "expected an integer of 64 bits";
    case Status::BadLiteral:
      return "expected %true, %false, %nan, %inf, %+inf or %-inf";
    case Status::ExpectedValue:
      return "expected a value";
    case Status::ExpectedKey:
      return "expected a string as key";
    case Status::ExpectedEquals:
      return "expected \"=\" after the key";
    case Status::ExpectedItemEnd:
      return "expected \";\" or \"]\"";
    case Status::ExpectedEntryEnd:
      return "expected \";\" or \"}\"";
    case Status::ExpectedAttributeEnd:
      return "expected \";\" or \">\"";
    case Status::ExpectedSeparator:
      return "expected \";\" or the end of the input";
    case Status::ExpectedEnd:
      return "expected the end of the input after one value";
    case Status::SecondAttributes:
      return "expected a value after its attributes";
    case Status::TooDeep:
      return "expected fewer nested values (the depth limit)";
  }
  return "expected valid YSON";
}

Status read_literal(const char*& p, const char* end, Literal& out) {
  struct Name {
    std::string_view text;
    Literal literal;
  };
  static constexpr std::array<Name, 6> kNames = {{{"%true", Literal::True},
                                                  {"%false", Literal::False},
                                                  {"%nan", Literal::Nan},
                                                  {"%inf", Literal::Infinity},
                                                  {"%+inf", Literal::Infinity},
                                                  {"%-inf", Literal::NegativeInfinity}}};
  std::string_view rest(p, static_cast<size_t>(end - p));
  for (const Name& name : kNames) {
    if (rest.starts_with(name.text)) {
      out = name.literal;
      p += name.text.size();
      return Status::Ok;
    }
    if (name.text.starts_with(rest)) return Status::Truncated;
  }
  return Status::BadLiteral;
}

namespace {

/// The byte that one letter after a backslash means; 0 if it does not mean one byte.
constexpr std::array<char, 256> kLetters = [] {
  std::array<char, 256> letters{};
  letters['n'] = '\n';
  letters['t'] = '\t';
  letters['r'] = '\r';
  letters['"'] = '"';
  letters['\\'] = '\\';
  return letters;
}();

/// Undoes an escape of one letter, or of two hex digits, `p` at its backslash; false for any other,
/// and for the last ones.
[[gnu::always_inline]] inline bool unescape_usual(const char*& p, const char* end, char*& to) {
  if (end - p < 4) return false;
  if (p[1] == 'x') {
    const int high = kHexDigits[static_cast<unsigned char>(p[2])];
    const int low = kHexDigits[static_cast<unsigned char>(p[3])];
    if ((high | low) < 0) return false;
    *to++ = static_cast<char>(high << 4 | low);
    p += 4;
    return true;
  }
  const char letter = kLetters[static_cast<unsigned char>(p[1])];
  if (letter == 0) return false;
  *to++ = letter;
  p += 2;
  return true;
}

}  // namespace

const char* unescape_quoted(const char* p, const char* end, char*& out) {
  char* to = out;
  while (p < end) {
    if (*p == '"') {
      out = to;
      return p + 1;
    }
    if (*p != '\\') {
#if defined(__SSE2__)
      if (end - p >= 16) {
        const __m128i block =
            _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
        const auto found = static_cast<unsigned>(
            _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')),
                                           _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')))));
        _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), block);
        const int count = found == 0 ? 16 : std::countr_zero(found);
        to += count;
        p += count;
        continue;
      }
#endif
      *to++ = *p++;
      continue;
    }
    if (!unescape_usual(p, end, to)) {
      if (end - p < 2) return nullptr;
      ++p;
      to = unescape_one(p, end, to);
    }
  }
  return nullptr;
}

size_t unescape(std::string_view raw, char* out) {
  const char* p = raw.data();
  const char* end = p + raw.size();
  char* to = out;
  [[maybe_unused]] const bool apart = out != p;
  while (p < end) {
    if (*p != '\\') {
#if defined(__SSE2__)
      const __m128i backslash = _mm_set1_epi8('\\');
      if (end - p >= 16) {
        __m128i block = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
        auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, backslash)));
        // Whole blocks are stored, and the bytes after a backslash are overwritten. If `out` is the
        // raw text, those are unread bytes.
        if (found == 0 || apart) {
          _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(to)), block);
          int count = found == 0 ? 16 : std::countr_zero(found);
          to += count;
          p += count;
          continue;
        }
      }
#endif
      do {
        *to++ = *p++;
      } while (p < end && *p != '\\');
      continue;
    }
    if (unescape_usual(p, end, to)) continue;
    if (++p == end) {
      *to++ = '\\';
      break;
    }
    to = unescape_one(p, end, to);
  }
  return static_cast<size_t>(to - out);
}

}  // namespace xwalk::yson
