#include "xwalk/base/wide_integer.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

/// Digits a 64-bit word takes at once.
constexpr int kChunkDigits = 19;
constexpr uint64_t kChunk = internal::kPowers64[kChunkDigits];

/// Writes a word with exactly `kChunkDigits` digits.
char* write_chunk(uint64_t word, char* out) {
  for (int i = kChunkDigits; i-- > 0;) {
    out[i] = static_cast<char>('0' + word % 10);
    word /= 10;
  }
  return out + kChunkDigits;
}

char* write_word(uint64_t word, char* out) { return std::to_chars(out, out + 20, word).ptr; }

Int256 magnitude(const Int256& value) { return value.is_negative() ? -value : value; }

/// Inserts the point into the digits in [digits, end), a sign aside.
char* scale_digits(char* digits, char* end, int scale) {
  if (scale <= 0) {
    bool zero = end - digits == 1 && *digits == '0';
    if (zero) return end;
    std::fill(end, end - scale, '0');
    return end - scale;
  }
  ptrdiff_t count = end - digits;
  ptrdiff_t missing = scale + 1 - count;
  if (missing > 0) {
    std::memmove(digits + missing, digits, static_cast<size_t>(count));
    std::fill(digits, digits + missing, '0');
    end += missing;
  }
  std::memmove(end - scale + 1, end - scale, static_cast<size_t>(scale));
  end[-scale] = '.';
  return end + 1;
}

template <class Int>
char* write_scaled(const Int& value, int scale, char* out) {
  char* end = write_decimal_text(value, out);
  return scale_digits(*out == '-' ? out + 1 : out, end, scale);
}

}  // namespace

bool multiply_by_power_of_ten(Int256* value, int exponent) {
  if (*value == Int256(0)) return true;
  bool negative = value->is_negative();
  Int256 out = magnitude(*value);
  while (exponent > 0) {
    int step = std::min(exponent, kChunkDigits);
    if (internal::multiply_add(&out.limbs, internal::kPowers64[static_cast<size_t>(step)], 0) !=
        0) {
      return false;
    }
    exponent -= step;
  }
  // The magnitude of the least value is the one that has the sign bit.
  if (out.is_negative()) {
    *value = out;
    return negative && out == Int256::min();
  }
  *value = negative ? -out : out;
  return true;
}

PowerOfTenRemainder divide_by_power_of_ten(Int128* value, int exponent) {
  if (exponent > kInt128Digits) {
    // Every value is below 1.8 * 10^38, less than half of 10^39.
    PowerOfTenRemainder out{*value == 0, -1};
    *value = 0;
    return out;
  }
  Int128 divisor = power_of_ten_128(exponent);
  Int128 remainder = *value % divisor;
  *value /= divisor;
  Uint128 twice = static_cast<Uint128>(remainder < 0 ? -remainder : remainder) * 2;
  auto whole = static_cast<Uint128>(divisor);
  return {remainder == 0, twice < whole ? -1 : twice == whole ? 0 : 1};
}

PowerOfTenRemainder divide_by_power_of_ten(Int256* value, int exponent) {
  if (exponent <= 0) return {};
  bool negative = value->is_negative();
  Int256 out = magnitude(*value);
  // The last dropped digit, and whether any digit below it is nonzero, decide the half.
  bool exact = true;
  for (int left = exponent - 1; left > 0;) {
    int step = std::min(left, kChunkDigits);
    exact &= internal::divide_by(&out.limbs, internal::kPowers64[static_cast<size_t>(step)]) == 0;
    left -= step;
    if (out == Int256(0)) break;
  }
  uint64_t digit = internal::divide_by(&out.limbs, 10);
  *value = negative ? -out : out;
  int half = digit < 5 ? -1 : digit > 5 || !exact ? 1 : 0;
  return {exact && digit == 0, half};
}

char* write_decimal_text(Int128 value, char* out) {
  auto rest = static_cast<Uint128>(value);
  if (value < 0) {
    *out++ = '-';
    rest = -rest;
  }
  if (rest <= ~uint64_t{0}) return write_word(static_cast<uint64_t>(rest), out);
  Uint128 high = rest / kChunk;
  auto low = static_cast<uint64_t>(rest % kChunk);
  if (high <= ~uint64_t{0}) {
    out = write_word(static_cast<uint64_t>(high), out);
  } else {
    out = write_word(static_cast<uint64_t>(high / kChunk), out);
    out = write_chunk(static_cast<uint64_t>(high % kChunk), out);
  }
  return write_chunk(low, out);
}

char* write_decimal_text(const Int256& value, char* out) {
  if (value.fits_int128()) return write_decimal_text(value.low128(), out);
  if (value.is_negative()) *out++ = '-';
  Int256 rest = magnitude(value);
  std::array<uint64_t, 5> chunks{};
  size_t count = 0;
  while (rest != Int256(0)) chunks[count++] = internal::divide_by(&rest.limbs, kChunk);
  out = write_word(chunks[count - 1], out);
  for (size_t i = count - 1; i-- > 0;) out = write_chunk(chunks[i], out);
  return out;
}

std::string to_decimal_text(Int128 value) {
  std::array<char, kWideTextSize> buffer;
  return {buffer.data(), write_decimal_text(value, buffer.data())};
}

std::string to_decimal_text(const Int256& value) {
  std::array<char, kWideTextSize> buffer;
  return {buffer.data(), write_decimal_text(value, buffer.data())};
}

char* write_scaled_text(Int128 value, int scale, char* out) {
  return write_scaled(value, scale, out);
}
char* write_scaled_text(const Int256& value, int scale, char* out) {
  return write_scaled(value, scale, out);
}

bool parse_decimal_text(std::string_view text, Int256* value) {
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return false;
  Int256 out;
  while (!text.empty()) {
    size_t size = std::min<size_t>(text.size(), kChunkDigits);
    uint64_t word = 0;
    for (char c : text.substr(0, size)) {
      if (!is_ascii_digit(c)) return false;
      word = word * 10 + static_cast<uint64_t>(c - '0');
    }
    if (internal::multiply_add(&out.limbs, internal::kPowers64[size], word) != 0) return false;
    text.remove_prefix(size);
  }
  if (out.is_negative()) {
    *value = out;
    return negative && out == Int256::min();
  }
  *value = negative ? -out : out;
  return true;
}

bool parse_decimal_text(std::string_view text, Int128* value) {
  Int256 wide;
  if (!parse_decimal_text(text, &wide) || !wide.fits_int128()) return false;
  *value = wide.low128();
  return true;
}

namespace {

template <class Int>
Int load_whole(const char* bytes) {
  if constexpr (sizeof(Int) == 16) {
    return load_big_endian_128(bytes);
  } else {
    return load_big_endian_256(bytes);
  }
}

template <class Int>
bool load_any(std::string_view bytes, Int* value) {
  if (bytes.empty()) return false;
  const char sign = static_cast<signed char>(bytes[0]) < 0 ? '\xff' : '\0';
  if (bytes.size() >= sizeof(Int)) {
    const size_t more = bytes.size() - sizeof(Int);
    const bool repeats = bytes.substr(0, more).find_first_not_of(sign) == std::string_view::npos;
    *value = load_whole<Int>(bytes.data() + more);
    return repeats && ((bytes[more] ^ sign) & 0x80) == 0;
  }
  char whole[sizeof(Int)];
  std::memset(whole, sign, sizeof(Int));
  std::memcpy(whole + sizeof(Int) - bytes.size(), bytes.data(), bytes.size());
  *value = load_whole<Int>(whole);
  return true;
}

template <class Int>
void store_any(const Int& value, char* bytes, size_t size) {
  char whole[sizeof(Int)];
  store_big_endian(value, whole);
  const size_t more = size > sizeof(Int) ? size - sizeof(Int) : 0;
  std::memset(bytes, static_cast<signed char>(whole[0]) < 0 ? 0xff : 0, more);
  std::memcpy(bytes + more, whole + sizeof(Int) - (size - more), size - more);
}

}  // namespace

bool load_big_endian(std::string_view bytes, Int128* value) { return load_any(bytes, value); }
bool load_big_endian(std::string_view bytes, Int256* value) { return load_any(bytes, value); }

size_t needed_bytes(Int128 value) {
  const auto bits = static_cast<Uint128>(value < 0 ? ~value : value);
  const auto high = static_cast<uint64_t>(bits >> 64);
  const auto used =
      high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(bits));
  return static_cast<size_t>(used) / 8 + 1;
}

size_t needed_bytes(const Int256& value) {
  const uint64_t sign = value.is_negative() ? ~uint64_t{0} : 0;
  for (size_t i = 4; i-- > 0;) {
    const uint64_t limb = value.limbs[i] ^ sign;
    if (limb != 0) return (i * 64 + static_cast<size_t>(std::bit_width(limb))) / 8 + 1;
  }
  return 1;
}

void store_big_endian(Int128 value, char* bytes, size_t size) { store_any(value, bytes, size); }
void store_big_endian(const Int256& value, char* bytes, size_t size) {
  store_any(value, bytes, size);
}

}  // namespace xwalk
