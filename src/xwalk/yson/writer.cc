#include "xwalk/yson/writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <dragonbox/dragonbox.h>

#include "xwalk/base/wide_integer.h"

namespace xwalk::yson::detail {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

constexpr Escape make(char a, char b) { return {{'\\', a, b, 0}, 2}; }

/// `long_form`: used if the next byte would be read as part of the short escape.
constexpr std::array<Escape, 256> make_escapes(bool long_form) {
  std::array<Escape, 256> escapes{};
  for (size_t i = 0; i < 256; ++i) {
    auto c = static_cast<char>(i);
    Escape& escape = escapes[i];
    if (c == '"' || c == '\\') {
      escape = make(c, 0);
    } else if (i >= 0x20 && i < 0x7F) {
      escape = {{c, 0, 0, 0}, 1};
    } else if (c == '\n') {
      escape = make('n', 0);
    } else if (c == '\r') {
      escape = make('r', 0);
    } else if (c == '\t') {
      escape = make('t', 0);
    } else if (long_form) {
      escape = {{'\\', static_cast<char>('0' + (i >> 6)), static_cast<char>('0' + ((i >> 3) & 7)),
                 static_cast<char>('0' + (i & 7))},
                4};
    } else if (i < 8) {
      escape = make(static_cast<char>('0' + i), 0);
    } else {
      escape = {{'\\', 'x', kHex[i >> 4], kHex[i & 15]}, 4};
    }
  }
  return escapes;
}

/// For each byte, the escapes that it would extend: 1 those of bytes below 8 (octal digits), 2 the
/// others (hex digits).
constexpr std::array<uint8_t, 256> kLengthens = [] {
  std::array<uint8_t, 256> result{};
  for (size_t i = 0; i < 256; ++i) {
    bool octal = i >= '0' && i <= '7';
    bool hex = (i >= '0' && i <= '9') || (i >= 'a' && i <= 'f') || (i >= 'A' && i <= 'F');
    result[i] = static_cast<uint8_t>((octal ? 1 : 0) | (hex ? 2 : 0));
  }
  return result;
}();

}  // namespace

constexpr std::array<Escape, 256> kShortEscapes = make_escapes(false);
constexpr std::array<Escape, 256> kLongEscapes = make_escapes(true);

namespace {

char* write_byte(char* out, const char* p, const char* end) {
  auto byte = static_cast<unsigned char>(*p);
  unsigned next = p + 1 < end ? kLengthens[static_cast<unsigned char>(p[1])] : 0;
  const auto& escapes = (next & (byte < 8 ? 1U : 2U)) != 0 ? kLongEscapes : kShortEscapes;
  const Escape& escape = escapes[byte];
  std::memcpy(out, escape.text, 4);
  return out + escape.size;
}

/// Returns true if none of eight bytes needs an escape.
bool is_clean(uint64_t word) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t quote = word ^ (kOnes * '"');
  uint64_t backslash = word ^ (kOnes * '\\');
  uint64_t found =
      word | (word - kOnes * 0x20) | (word + kOnes) | (quote - kOnes) | (backslash - kOnes);
  return (found & (kOnes * 0x80)) == 0;
}

}  // namespace

char* write_escapes(char* out, const char*& p, const char* end) {
  do {
    out = write_byte(out, p, end);
    ++p;
  } while (p < end && kShortEscapes[static_cast<unsigned char>(*p)].size > 1);
  return out;
}

char* write_escaped(char* out, const char* p, const char* stop, const char* end) {
  while (p < stop) {
    while (stop - p >= 8 && is_clean(load_little_endian<uint64_t>(p))) {
      std::memcpy(out, p, 8);
      p += 8;
      out += 8;
    }
    for (const char* next = stop - p > 8 ? p + 8 : stop; p < next; ++p)
      out = write_byte(out, p, end);
  }
  return out;
}

}  // namespace xwalk::yson::detail

namespace xwalk::yson {
namespace {

using detail::kAsciiZeros;

/// Returns how many digits a number above zero has.
unsigned count_digits(uint64_t value) {
  // log10 from log2: 1233 / 4096 is just above log10(2).
  const unsigned guess = (static_cast<unsigned>(std::bit_width(value)) * 1233) >> 12;
  return guess + (value >= internal::kPowers64[guess] ? 1 : 0);
}

/// The shortest digits of a finite number above zero, d.ddd × 10^exponent, of 17. Digits after the
/// first `count` are zero, and digit `count` is not. As characters.
struct Digits {
  char top;
  detail::SixteenDigits rest;
  int count;
  int exponent;
};

template <typename Real>
Digits shortest_digits(Real value) {
  constexpr unsigned kMost = 17;
  constexpr uint64_t kEight = 100'000'000;
  const auto decimal = jkj::dragonbox::to_decimal(value, jkj::dragonbox::policy::sign::ignore,
                                                  jkj::dragonbox::policy::trailing_zero::ignore);
  const unsigned given = count_digits(decimal.significand);
  const uint64_t number = uint64_t{decimal.significand} * internal::kPowers64[kMost - given];
  const uint64_t high = number / kEight;
  const uint64_t top = high / kEight;
  const auto [first, last] = detail::sixteen_digits(high - top * kEight, number - high * kEight);
  Digits digits;
  digits.top = static_cast<char>('0' + top);
  digits.rest = {first | kAsciiZeros, last | kAsciiZeros};
  digits.count = last != 0 ? 17 - std::countl_zero(last) / 8 : 9 - std::countl_zero(first) / 8;
  digits.exponent = decimal.exponent + static_cast<int>(given) - 1;
  return digits;
}

/// Stores all but the first digit: 16 bytes.
void store(const detail::SixteenDigits& digits, char* out) {
  store_little_endian(digits.first, out);
  store_little_endian(digits.last, out + 8);
}

/// Returns the first `count` of eight digits, at most 7, a point, and the remaining digits.
uint64_t with_point(uint64_t digits, int count) {
  const uint64_t before = (uint64_t{1} << (8 * count)) - 1;
  return (digits & before) | uint64_t{'.'} << (8 * count) | (digits & ~before) << 8;
}

/// Writes d.ddde±XX.
char* write_with_exponent(char* out, const Digits& digits) {
  out[0] = digits.top;
  out[1] = '.';
  store(digits.rest, out + 2);
  out += digits.count > 1 ? digits.count + 1 : 1;
  *out++ = 'e';
  *out++ = digits.exponent < 0 ? '-' : '+';
  return write_digits(out, static_cast<uint64_t>(std::abs(digits.exponent)));
}

/// Writes zero, nan and the infinities.
char* write_special(char* out, double value) {
  std::string_view text = "%nan";
  if (value == 0) text = std::signbit(value) ? "-0." : "0.";
  if (std::isinf(value)) text = value < 0 ? "%-inf" : "%inf";
  return std::copy(text.begin(), text.end(), out);
}

template <typename Real>
char* write_real(char* out, Real value) {
  constexpr int kFirstLargeExponent = 21;
  constexpr int kLastSmallExponent = -11;
  const Real magnitude = std::abs(value);
  if (!(magnitude > 0 && magnitude <= std::numeric_limits<Real>::max())) [[unlikely]] {
    return write_special(out, static_cast<double>(value));
  }
  *out = '-';
  out += value < 0 ? 1 : 0;
  const Digits digits = shortest_digits(magnitude);
  const int exponent = digits.exponent;
  if (exponent >= kFirstLargeExponent || exponent <= kLastSmallExponent) [[unlikely]] {
    return write_with_exponent(out, digits);
  }
  if (exponent < 0) {
    std::memcpy(out, "0.0000000000", 12);
    out[1 - exponent] = digits.top;
    store(digits.rest, out + 2 - exponent);
    return out + 1 - exponent + digits.count;
  }
  // The point comes between digits in a register: loading back what was stored a moment ago in
  // other pieces would wait for the stores.
  out[0] = digits.top;
  store(digits.rest, out + 2);
  if (exponent < 8) {
    store_little_endian(with_point(digits.rest.first, exponent), out + 1);
  } else if (exponent < 16) {
    store_little_endian(digits.rest.first, out + 1);
    store_little_endian(with_point(digits.rest.last, exponent - 8), out + 9);
  } else {
    store(digits.rest, out + 1);
    store_little_endian(kAsciiZeros, out + 17);
    out[exponent + 1] = '.';
  }
  return out + std::max(digits.count, exponent + 1) + 1;
}

}  // namespace

char* write_text_double(char* out, double value) { return write_real(out, value); }
char* write_text_float(char* out, float value) { return write_real(out, value); }

namespace {

constexpr size_t kPartBytes = size_t{1} << 20;

/// Calls `write(begin, end)` for each part; counts and drains the buffer after it.
template <typename Write>
void for_parts(std::string_view bytes, Buffer* out, BufferCount* count, bool drains,
               const Write& write) {
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t stop = begin + std::min(bytes.size() - begin, kPartBytes);
    write(bytes.data() + begin, bytes.data() + stop);
    if (count != nullptr) count->much();
    if (drains) out->drain();
    begin = stop;
  }
}

}  // namespace

void append_binary_string(std::string_view bytes, Buffer* out, BufferCount* count, bool drains) {
  char* start = out->reserve(max_binary_string_bytes(0));
  *start++ = marker::kString;
  out->set_end(write_varint(start, static_cast<uint64_t>(bytes.size()) << 1));
  for_parts(bytes, out, count, drains, [out](const char* begin, const char* stop) {
    out->append({begin, static_cast<size_t>(stop - begin)});
  });
}

void append_text_string(std::string_view bytes, Buffer* out, BufferCount* count, bool drains) {
  const char* end = bytes.data() + bytes.size();
  out->append('"');
  for_parts(bytes, out, count, drains, [out, end](const char* begin, const char* stop) {
    char* to = out->reserve(max_text_string_bytes(static_cast<size_t>(stop - begin)));
    out->set_end(detail::write_escaped(to, begin, stop, end));
  });
  out->append('"');
}

}  // namespace xwalk::yson
