#include "xwalk/yson/json_text.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/walk.h"

namespace xwalk::yson {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

/// Bytes that one byte of a string becomes at most: `\u0000`.
constexpr size_t kMaxEscaped = 6;
/// Bytes that are written at a time, so that room is made for what is there and not for six times
/// as much.
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

/// Writes what it is told of as JSON.
class JsonWriter {
 public:
  JsonWriter(const JsonRowStyle& style, Buffer* out) : style_(style), out_(out) {}

  JsonFault fault() const { return fault_; }
  /// Begins a value whose types nothing else tells, or one of a known type.
  void start_value(bool any) {
    say_types_ = any && style_.wrappers;
    in_wrapper_ = false;
    fault_ = JsonFault::None;
  }

  void begin(char bracket) {
    if (bracket == '<') {
      if (!style_.wrappers) refuse(JsonFault::Attributes);
      out_->append(R"({"$attributes":{)");
      return;
    }
    start();
    out_->append(bracket);
  }
  void end(char bracket, bool /*any*/) {
    if (bracket != '>') return out_->append(bracket);
    out_->append("},");
    in_wrapper_ = true;
  }
  void attributed() { out_->append('}'); }

  void item(bool first) {
    if (!first) out_->append(',');
  }
  static void item_end() {}

  void key(std::string_view bytes) {
    out_->append('"');
    if (style_.wrappers && bytes.starts_with('$')) out_->append('$');
    characters(bytes);
    out_->append("\":");
  }

  void string(std::string_view bytes) {
    const bool wrapped = annotated(R"("$type":"string",)");
    start();
    out_->append('"');
    characters(bytes);
    out_->append('"');
    if (wrapped) out_->append('}');
  }
  void entity() {
    start();
    out_->append("null");
  }
  void boolean(bool value) {
    const bool wrapped = annotated(R"("$type":"boolean",)");
    start();
    text(value ? std::string_view("true") : std::string_view("false"));
    if (wrapped) out_->append('}');
  }
  void int64(int64_t value) {
    const bool wrapped = annotated(R"("$type":"int64",)");
    start();
    char digits[kMaxScalarBytes];
    text({digits, static_cast<size_t>(write_text_int64(digits, value) - digits)});
    if (wrapped) out_->append('}');
  }
  void uint64(uint64_t value) {
    // Larger ones can be nothing else.
    const bool lost =
        say_types_ &&
        (style_.stringify || value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
    const bool wrapped =
        (lost || style_.annotate_with_types) && start_typed(R"("$type":"uint64",)");
    start();
    char digits[kMaxScalarBytes];
    text({digits, static_cast<size_t>(write_digits(digits, value) - digits)});
    if (wrapped) out_->append('}');
  }
  void real(double value) {
    if (!std::isfinite(value)) return not_finite(value);
    const bool wrapped = annotated(R"("$type":"double",)");
    start();
    char digits[kMaxScalarBytes];
    char* end = write_text_double(digits, value);
    if (end[-1] == '.') *end++ = '0';
    text({digits, static_cast<size_t>(end - digits)});
    if (wrapped) out_->append('}');
  }

 private:
  void refuse(JsonFault fault) {
    if (fault_ == JsonFault::None) fault_ = fault;
  }

  /// Goes before a value: behind attributes it has a key.
  void start() {
    if (!in_wrapper_) [[likely]]
      return;
    in_wrapper_ = false;
    out_->append(R"("$value":)");
  }

  /// Says the type of a value, beside its attributes or in a wrapper for it alone; returns whether
  /// the caller has to close that.
  bool start_typed(std::string_view type) {
    const bool wraps = !in_wrapper_;
    if (wraps) out_->append('{');
    out_->append(type);
    in_wrapper_ = true;
    return wraps;
  }

  /// Begins a scalar whose type is said where all are.
  bool annotated(std::string_view type) {
    const bool lost = say_types_ && style_.stringify && !type.starts_with(R"("$type":"string)");
    return (lost || style_.annotate_with_types) && start_typed(type);
  }

  /// Writes the text of a number or a boolean.
  void text(std::string_view bytes) {
    if (!style_.stringify) return out_->append(bytes);
    out_->append('"');
    out_->append(bytes);
    out_->append('"');
  }

  void not_finite(double value) {
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

  /// Writes what stands between the quotes of a string.
  void characters(std::string_view bytes) {
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
          *out++ = static_cast<char>(0xC0 | (byte >> 6));
          *out++ = static_cast<char>(0x80 | (byte & 0x3F));
          ++p;
        } else {
          if (!is_valid_utf8(bytes)) return refuse(JsonFault::NotText);
          high = true;
        }
      }
      out_->set_end(out);
    }
  }

  const JsonRowStyle style_;
  /// Types are said of numbers that JSON would take for others.
  bool say_types_ = false;
  /// Whether attributes or a type stand before the value that comes.
  bool in_wrapper_ = false;
  JsonFault fault_ = JsonFault::None;
  Buffer* out_;
};

}  // namespace

std::string_view describe(JsonFault fault) {
  switch (fault) {
    case JsonFault::None:
      return "JSON";
    case JsonFault::Malformed:
      return "no YSON value";
    case JsonFault::Attributes:
      return "a value with attributes";
    case JsonFault::NotFinite:
      return "nan or an infinity";
    case JsonFault::NotText:
      return "a string that is not UTF-8";
  }
  return "";
}

JsonFault write_json(std::string_view yson, JsonStyle style, Buffer* out) {
  const bool living = style == JsonStyle::Living;
  JsonWriter writer({.wrappers = living, .encode_utf8 = living}, out);
  writer.start_value(living);
  const char* p = yson.data();
  const char* end = p + yson.size();
  if (Walker(end, &writer).value(p, kMaxDepth) != Status::Ok) return JsonFault::Malformed;
  skip_space(p, end);
  return p == end ? writer.fault() : JsonFault::Malformed;
}

class JsonRowWriter::Impl : public JsonWriter {
 public:
  using JsonWriter::JsonWriter;
};

JsonRowWriter::JsonRowWriter(const JsonRowStyle& style, Buffer* out)
    : impl_(std::make_unique<Impl>(style, out)) {}
JsonRowWriter::~JsonRowWriter() = default;

JsonFault JsonRowWriter::key(std::string_view bytes) {
  impl_->start_value(false);
  impl_->key(bytes);
  return impl_->fault();
}

JsonFault JsonRowWriter::value(const char*& p, const char* end, bool any) {
  impl_->start_value(any);
  JsonWriter* const sink = impl_.get();
  if (Walker(end, sink).value(p, kMaxDepth) != Status::Ok) return JsonFault::Malformed;
  return impl_->fault();
}

}  // namespace xwalk::yson
