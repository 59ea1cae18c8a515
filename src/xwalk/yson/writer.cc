#include "xwalk/yson/writer.h"

#include <charconv>
#include <cmath>

namespace xwalk::yson::detail {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

constexpr Escape make(char a, char b) { return {{'\\', a, b, 0}, 2}; }

/// `long_form` is the form before a byte that would lengthen the short one.
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

/// Says for a byte which escapes it would lengthen: 1 those of bytes below 8 (octal digits), 2 the
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

char* write_escaped_tail(char* out, const char* p, const char* end) {
  while (end - p >= 8 && is_clean(load_little_endian<uint64_t>(p))) {
    std::memcpy(out, p, 8);
    p += 8;
    out += 8;
  }
  for (; p < end; ++p) out = write_byte(out, p, end);
  return out;
}

char* write_double_slow(char* out, double value) {
  if (std::isnan(value)) {
    std::memcpy(out, "%nan", 4);
    return out + 4;
  }
  if (std::signbit(value)) {
    if (std::isinf(value)) {
      std::memcpy(out, "%-inf", 5);
      return out + 5;
    }
    *out++ = '-';
    value = -value;
  }
  if (std::isinf(value)) {
    std::memcpy(out, "%inf", 4);
    return out + 4;
  }
  if (value == 0) {
    std::memcpy(out, "0.", 2);
    return out + 2;
  }

  // Shortest digits as d.ddde±XX; only the layout is ours.
  char scientific[32];
  const char* end = std::to_chars(scientific, scientific + sizeof(scientific), value,
                                  std::chars_format::scientific)
                        .ptr;
  char digits[20];
  int count = 0;
  const char* p = scientific;
  for (; *p != 'e'; ++p) {
    if (*p != '.') digits[count++] = *p;
  }
  int exponent = 0;
  std::from_chars(p[1] == '+' ? p + 2 : p + 1, end, exponent);

  auto put = [&out](const char* from, int size) {
    std::memcpy(out, from, static_cast<size_t>(size));
    out += size;
  };
  auto put_zeros = [&out](int size) {
    std::memset(out, '0', static_cast<size_t>(size));
    out += size;
  };
  constexpr int kFirstLargeExponent = 21;
  constexpr int kLastSmallExponent = -11;
  if (exponent >= kFirstLargeExponent || exponent <= kLastSmallExponent) {
    *out++ = digits[0];
    if (count > 1) {
      *out++ = '.';
      put(digits + 1, count - 1);
    }
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    return write_digits(out, static_cast<uint64_t>(std::abs(exponent)));
  }
  if (exponent < 0) {
    put("0.", 2);
    put_zeros(-exponent - 1);
    put(digits, count);
  } else if (count <= exponent + 1) {
    put(digits, count);
    put_zeros(exponent + 1 - count);
    *out++ = '.';
  } else {
    put(digits, exponent + 1);
    *out++ = '.';
    put(digits + exponent + 1, count - exponent - 1);
  }
  return out;
}

}  // namespace xwalk::yson::detail
