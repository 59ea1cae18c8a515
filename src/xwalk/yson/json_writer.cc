#include "xwalk/yson/json_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "xwalk/base/text.h"
#include "xwalk/base/utf8.h"

namespace xwalk::yson {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

/// Bytes that one byte of a string becomes at most: `\u0000`.
constexpr size_t kMaxEscaped = 6;
/// Bytes that are written at a time, so that the buffer does not grow to six times the string.
constexpr size_t kStep = 1024;

char* write_escape(char* out, char c) {
  *out++ = '\\';
  switch (c) {
    case '"':
    case '\\':
      *out++ = c;
      break;
    case '\b':
      *out++ = 'b';
      break;
    case '\f':
      *out++ = 'f';
      break;
    case '\n':
      *out++ = 'n';
      break;
    case '\r':
      *out++ = 'r';
      break;
    case '\t':
      *out++ = 't';
      break;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      std::memcpy(out, "u00", 3);
      out[3] = kHex[byte >> 4];
      out[4] = kHex[byte & 0xF];
      out += 5;
    }
  }
  return out;
}

/// Copies the bytes that stand for themselves, up to the first other one: with `high`, those from
/// 0x80 on are among them.
template <bool high>
const char* copy_plain(const char* p, const char* end, char** out) {
#if defined(__SSE2__)
  while (end - p >= 16) {
    const __m128i block = _mm_loadu_si128(static_cast<const __m128i*>(static_cast<const void*>(p)));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    const __m128i quoted = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')),
                                        _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
    auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(control, quoted)));
    if (!high) mask |= static_cast<unsigned>(_mm_movemask_epi8(block));
    _mm_storeu_si128(static_cast<__m128i*>(static_cast<void*>(*out)), block);
    const int clean = mask == 0 ? 16 : std::countr_zero(mask);
    p += clean;
    *out += clean;
    if (mask != 0) return p;
  }
#endif
  while (p < end) {
    const auto byte = static_cast<unsigned char>(*p);
    if (byte < 0x20 || *p == '"' || *p == '\\' || (!high && byte >= 0x80)) break;
    *(*out)++ = *p++;
  }
  return p;
}

}  // namespace

void JsonWriter::not_finite(double value) {
  const bool typed = say_types_ || style_.annotate_with_types;
  const bool bare = style_.unquoted_infinity && !std::isnan(value);
  const bool allowed = typed || bare || style_.quoted_specials || style_.stringify;
  if (!allowed) return refuse(JsonFault::NotFinite);
  const bool wrapped = typed && start_typed(R"("$type":"double",)");
  start();
  const std::string_view word = std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const bool quoted = typed || !bare;
  if (quoted) out_->append('"');
  out_->append(word);
  if (quoted) out_->append('"');
  if (wrapped) out_->append('}');
}

void JsonWriter::characters(std::string_view bytes) {
  const bool living = style_.encode_utf8;
  bool high = false;
  for (std::string_view rest = bytes; !rest.empty();) {
    const char* p = rest.data();
    const char* end = p + std::min(rest.size(), kStep);
    rest.remove_prefix(static_cast<size_t>(end - p));
    char* out = out_->reserve(kStep * kMaxEscaped + 16);
    while ((p = high ? copy_plain<true>(p, end, &out) : copy_plain<false>(p, end, &out)) < end) {
      const auto byte = static_cast<unsigned char>(*p);
      if (byte < 0x80) {
        out = write_escape(out, *p++);
      } else if (living) {
        // Each byte is the code point of that number.
        out = write_utf8(byte, out);
        ++p;
      } else {
        if (!is_valid_utf8(bytes)) return refuse(JsonFault::NotText);
        high = true;
      }
    }
    out_->set_end(out);
    count_.much();
  }
}

}  // namespace xwalk::yson
