#include <bit>
#include <cstring>
#include <string>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "xwalk/base/exact_double.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/json_text_internal.h"
#include "xwalk/yt/json_transcoder.h"
#include "xwalk/yt/known_json_internal.h"

namespace xwalk::yt {
namespace {

/// Longer lines take the way that limits memory.
constexpr size_t kMostLine = size_t{1} << 20;
/// Integers of up to this many digits are doubles.
constexpr int kExactDigits = 15;
/// Integers of up to this many digits have 64 bits.
constexpr int kInt64Digits = 18;
/// Fractions of up to this many digits, and exponents of up to this many, are doubles.
constexpr int kPlaces = 24;
constexpr int kExponentDigits = 2;

/// Counts the digits from `p` on, up to 32. 32 bytes must be readable.
[[gnu::always_inline]] inline int count_digits(const char* p) {
#if defined(__SSE2__)
  uint32_t others = 0;
  for (int half = 0; half < 2; ++half) {
    const __m128i block =
        _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p + 16 * half)));
    const __m128i digits = _mm_sub_epi8(block, _mm_set1_epi8('0'));
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    others |= static_cast<uint32_t>(~_mm_movemask_epi8(is_digit) & 0xFFFF) << (16 * half);
    if (others != 0) break;
  }
  return std::countr_zero(others);
#else
  int count = 0;
  while (count < 32 && is_ascii_digit(p[count])) ++count;
  return count;
#endif
}

/// Returns true if each escape of a string stands for a character. Surrogates are left to others.
bool has_usual_escapes(std::string_view text) {
  for (size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at)) {
    text.remove_prefix(at + 1);
    at = 1;
    if (text.empty()) return false;
    if (text.front() != 'u') {
      if (std::string_view("\"\\/bfnrt").find(text.front()) == std::string_view::npos) return false;
      continue;
    }
    const std::string_view digits = text.substr(1, 4);
    const bool surrogate = digits.size() == 4 && (digits[0] == 'd' || digits[0] == 'D') &&
                           std::string_view("01234567").find(digits[1]) == std::string_view::npos;
    if (digits.size() < 4 || surrogate ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool KnownJson::suits(const JsonForm& form) {
  return !form.encode_utf8 && !form.reads_specials() && form.not_finite == NotFinite::Refuse;
}

bool KnownJson::row(std::string_view line) {
  if (row_.fields == nullptr || line.size() > kMostLine || !back_off_.is_due()) return false;
  end_ = line.data() + line.size();
  const char* p = skip_white(line.data(), end_);
  if (p < end_ && *p == '{') {
    p = fields(p + 1, *row_.fields, 1);
    if (p != nullptr && skip_white(p, end_) == end_) [[likely]] {
      back_off_.succeed();
      return true;
    }
  }
  back_off_.fail();
  return false;
}

/// Reads a key that is not the expected one, up to its colon.
const Fields::Field* KnownJson::key(const char*& p, const Fields& fields, size_t* expected) const {
  if (p >= end_ || *p != '"') return nullptr;
  const Inside inside = find_close(p + 1, end_);
  if (inside.close == nullptr || inside.escaped) return nullptr;
  const std::string_view name(p + 1, static_cast<size_t>(inside.close - p - 1));
  if (name.starts_with('$')) return nullptr;
  const auto found = fields.index.find(std::string(name));
  if (found == fields.index.end()) return nullptr;
  p = skip_white(inside.close + 1, end_);
  if (p >= end_ || *p != ':') return nullptr;
  ++p;
  *expected = found->second + 1;
  return &fields.list[found->second];
}

const char* KnownJson::fields(const char* p, const Fields& fields, size_t depth) const {
  p = skip_white(p, end_);
  if (p < end_ && *p == '}') return p + 1;
  size_t expected = 0;
  for (;;) {
    const Fields::Field* field = nullptr;
    if (expected < fields.list.size() && fields.list[expected].form.matches(p)) [[likely]] {
      field = &fields.list[expected++];
      p += field->form.bytes.size();
    } else {
      field = key(p, fields, &expected);
      if (field == nullptr) return nullptr;
    }
    p = value(skip_white(p, end_), field->seen, depth);
    if (p == nullptr) return nullptr;
    p = skip_white(p, end_);
    if (p >= end_) return nullptr;
    if (*p == '}') return p + 1;
    if (*p != ',') return nullptr;
    p = skip_white(p + 1, end_);
  }
}

const char* KnownJson::items(const char* p, const Seen& items, size_t depth) const {
  p = skip_white(p, end_);
  if (p < end_ && *p == ']') return p + 1;
  for (;;) {
    p = value(p, items, depth);
    if (p == nullptr) return nullptr;
    p = skip_white(p, end_);
    if (p >= end_) return nullptr;
    if (*p == ']') return p + 1;
    if (*p != ',') return nullptr;
    p = skip_white(p + 1, end_);
  }
}

const char* KnownJson::value(const char* p, const Seen& seen, size_t depth) const {
  if (p >= end_ || seen.opaque || depth == kMaxDepth) return nullptr;
  switch (*p) {
    case '"':
      return seen.text ? string(p + 1) : nullptr;
    case '{':
      return seen.fields != nullptr ? fields(p + 1, *seen.fields, depth + 1) : nullptr;
    case '[':
      return seen.items != nullptr ? items(p + 1, *seen.items, depth + 1) : nullptr;
    case 'n':
      return std::memcmp(p, "null", 4) == 0 ? p + 4 : nullptr;
    case 't':
      return seen.boolean && std::memcmp(p, "true", 4) == 0 ? p + 4 : nullptr;
    case 'f':
      return seen.boolean && std::memcmp(p, "false", 5) == 0 ? p + 5 : nullptr;
    default:
      return number(p, seen);
  }
}

const char* KnownJson::string(const char* p) const {
  const Inside inside = find_close(p, end_);
  if (inside.close == nullptr) return nullptr;
  if (inside.escaped || inside.high) [[unlikely]] {
    const std::string_view text(p, static_cast<size_t>(inside.close - p));
    if (inside.high && !is_valid_utf8(text)) return nullptr;
    if (inside.escaped && !has_usual_escapes(text)) return nullptr;
  }
  return inside.close + 1;
}

const char* KnownJson::number(const char* p, const Seen& seen) const {
  const char* const begin = p;
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  const int whole = count_digits(p);
  // A zero in front of other digits is no number of JSON.
  if (whole == 0 || (*p == '0' && whole > 1)) return nullptr;
  p += whole;
  const bool fraction = *p == '.';
  const bool exponent = *p == 'e' || *p == 'E';
  if (!fraction && !exponent) [[unlikely]] {
    if (whole > kInt64Digits || !seen.signed_integer || (negative && !seen.negative)) {
      return nullptr;
    }
    if (whole > kExactDigits && !seen.beyond_double) {
      const yson::Int64Read read = yson::read_usual_int64(begin, end_ + JsonTranscoder::kPadding);
      if (read.next != p || !double_equal_to(read.value)) return nullptr;
    }
    return p;
  }
  if (whole > kExactDigits || !seen.real) return nullptr;
  if (fraction) {
    const int places = count_digits(++p);
    if (places == 0 || places > kPlaces) return nullptr;
    p += places;
  }
  if (*p != 'e' && *p != 'E') [[likely]]
    return p;
  // Others may be integers of more digits than a double has.
  if (p[1] != '-') return nullptr;
  const int digits = count_digits(p + 2);
  return digits == 0 || digits > kExponentDigits ? nullptr : p + 2 + digits;
}

}  // namespace xwalk::yt
