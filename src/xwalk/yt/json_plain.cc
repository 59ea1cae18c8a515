#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "xwalk/base/text.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yt/json_plain_internal.h"
#include "xwalk/yt/json_text_internal.h"

namespace xwalk::yt {
namespace {

/// Deeper rows are rare, and take the way that knows the limit.
constexpr int kMostDepth = 32;
/// Rows whose YSON may be so long that making room for it at once is too much.
constexpr size_t kMostBytes = size_t{1} << 20;
/// `1,` is a number of two bytes and becomes a double and a separator, ten bytes.
constexpr size_t kGrowth = 5;
constexpr ptrdiff_t kPadding = JsonTranscoder::kPadding;

/// Puts the code points of valid UTF-8 into bytes. Returns false for one above U+00FF.
bool bytes_of(std::string_view text, std::string* out) {
  out->clear();
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      out->push_back(text[i]);
      continue;
    }
    if (byte > 0xC3) return false;
    const auto next = static_cast<unsigned char>(text[++i]);
    out->push_back(static_cast<char>((byte & 0x03) << 6 | (next & 0x3F)));
  }
  return true;
}

}  // namespace

bool decode_json_string(std::string_view* text, bool encode_utf8, std::string* decoded,
                        JsonTranscoder::Strings* strings) {
  const bool as_bytes = bytes_of(*text, decoded);
  if (!encode_utf8) {
    // Text in two encodings, one upon the other, looks like this and like nothing people write.
    ++(as_bytes && is_valid_utf8(*decoded) ? strings->as_bytes : strings->as_text);
    return true;
  }
  if (as_bytes) *text = *decoded;
  return as_bytes;
}

PlainJson::PlainJson(const JsonShape& root, const JsonForm& form, size_t entries)
    : root_(root), form_(form), next_(entries) {
  // In the schema's order, with the first one after the last. Each list of entries has its own
  // order.
  std::vector<const JsonShape*> left = {&root};
  while (!left.empty()) {
    const JsonShape& shape = *left.back();
    left.pop_back();
    const size_t count = shape.entries.size();
    if (shape.kind == JsonKind::Fields || shape.kind == JsonKind::Variant) {
      for (size_t i = 0; i < count; ++i) next_[shape.first + i] = static_cast<uint32_t>(i + 1);
      next_[shape.first + count] = 0;
    }
    for (const JsonEntry& entry : shape.entries) left.push_back(entry.shape.get());
  }
}

bool PlainJson::row(std::string_view line, yson::Buffer* out, JsonTranscoder::Strings* strings) {
  if (!back_off_.is_due()) return false;
  if (line.empty() || line.size() > kMostBytes) return false;
  const JsonTranscoder::Strings before = *strings;
  end_ = line.data() + line.size();
  strings_ = strings;
  char* const begin = out->reserve(kGrowth * line.size() + kPadding);
  const char* const p = skip_white(line.data(), end_);
  if (p < end_ && *p == '{') {
    const At at = fields(p + 1, begin, root_, 0);
    if (at.in != nullptr && skip_white(at.in, end_) == end_) [[likely]] {
      *at.out = ';';
      out->set_end(at.out + 1);
      back_off_.succeed();
      return true;
    }
  }
  *strings = before;
  back_off_.fail();
  return false;
}

/// Reads a key that is not the predicted one, `p` at its quote. Returns the byte after its `:`, or
/// null.
const char* PlainJson::key(const char* p, const JsonShape& shape, size_t* index,
                           std::string_view* name) {
  if (p >= end_ || *p != '"') return nullptr;
  const Inside inside = find_close(p + 1, end_);
  if (inside.close == nullptr || inside.escaped) return nullptr;
  *name = {p + 1, static_cast<size_t>(inside.close - p - 1)};
  if (inside.high && (form_.encode_utf8 || !is_valid_utf8(*name))) return nullptr;
  if (!form_.plain && name->starts_with('$')) return nullptr;
  p = skip_white(inside.close + 1, end_);
  if (p >= end_ || *p != ':') return nullptr;
  *index = shape.entries.size();
  if (shape.kind == JsonKind::Fields && !shape.entries.empty()) {
    if (!shape.distinct) return nullptr;
    const uint32_t found = shape.names.find(*name);
    if (found != KeyTable::kMissing) *index = found;
  }
  return p + 1;
}

PlainJson::At PlainJson::fields(const char* p, char* out, const JsonShape& shape, int depth) {
  if (depth >= kMostDepth) return {};
  *out++ = '{';
  const size_t count = shape.entries.size();
  const bool by_name = shape.kind == JsonKind::Fields && count > 0;
  uint32_t* const next = next_.data() + shape.first;
  const JsonEntry* const entries = shape.entries.data();
  size_t previous = count;
  p = skip_white(p, end_);
  if (*p == '}' && p < end_) {
    *out++ = '}';
    return {p + 1, out};
  }
  for (;;) {
    const JsonShape* its = nullptr;
    size_t index = by_name ? next[previous] : count;
    if (index < count && entries[index].form.matches(p)) [[likely]] {
      p += entries[index].form.bytes.size();
    } else {
      std::string_view name;
      p = key(p, shape, &index, &name);
      if (p == nullptr) return {};
      if (by_name && index < count) {
        next[previous] = static_cast<uint32_t>(index);
      } else {
        out = yson::write_binary_string(out, name, end_ + kPadding);
        *out++ = '=';
        its = shape.kind == JsonKind::Dict ? shape.entries.back().shape.get() : &any_json();
      }
    }
    if (index < count) {
      const KeyForm& token = entries[index].key;
      its = entries[index].shape.get();
      std::memcpy(out, token.halves.data(), sizeof(token.halves));
      if (token.bytes.size() > sizeof(token.halves)) [[unlikely]] {
        std::memcpy(out, token.bytes.data(), token.bytes.size());
      }
      out += token.bytes.size();
      previous = index;
    }
    p = skip_white(p, end_);
    if (p >= end_) [[unlikely]]
      return {};
    const At at = step(p, out, *its, depth + 1);
    if (at.in == nullptr) [[unlikely]]
      return {};
    p = skip_white(at.in, end_);
    if (p >= end_) [[unlikely]]
      return {};
    out = at.out;
    *out++ = ';';
    if (*p == '}') break;
    if (*p != ',') [[unlikely]]
      return {};
    p = skip_white(p + 1, end_);
  }
  *out++ = '}';
  return {p + 1, out};
}

/// Reads a list, with `p` after its bracket. `kind` is that of the shape, or `Fields` for the key
/// and the value of a dict, whose entries they are by position.
PlainJson::At PlainJson::list(const char* p, char* out, const JsonShape& shape, JsonKind kind,
                              int depth) {
  if (depth >= kMostDepth) return {};
  *out++ = '[';
  p = skip_white(p, end_);
  if (*p == ']' && p < end_) {
    *out++ = ']';
    return {p + 1, out};
  }
  const bool same = kind == JsonKind::Box || kind == JsonKind::List;
  const JsonShape* its = same ? shape.entries.front().shape.get() : &any_json();
  const JsonEntry* chosen = nullptr;
  for (size_t index = 0;; ++index) {
    if (p >= end_) [[unlikely]]
      return {};
    At at{};
    if (same) {
      at = step(p, out, *its, depth + 1);
    } else if (kind == JsonKind::Dict && *p == '[') {
      at = list(p + 1, out, shape, JsonKind::Fields, depth + 1);
    } else {
      its = &any_json();
      if (kind == JsonKind::Fields && index < shape.entries.size()) {
        its = shape.entries[index].shape.get();
      } else if (kind == JsonKind::Variant && index == 0 && shape.by_number) {
        its = &signed_json();
      } else if (kind == JsonKind::Variant && index == 1 && chosen != nullptr) {
        its = chosen->shape.get();
      }
      at = value(p, out, *its, depth + 1);
      if (at.in == nullptr) return {};
      if (kind == JsonKind::Variant && index == 0) {
        chosen = shape.alternative({p, static_cast<size_t>(at.in - p)},
                                   {out, static_cast<size_t>(at.out - out)});
      }
    }
    if (at.in == nullptr) [[unlikely]]
      return {};
    p = skip_white(at.in, end_);
    if (p >= end_) [[unlikely]]
      return {};
    out = at.out;
    *out++ = ';';
    if (*p == ']') break;
    if (*p != ',') [[unlikely]]
      return {};
    p = skip_white(p + 1, end_);
  }
  *out++ = ']';
  return {p + 1, out};
}

PlainJson::At PlainJson::value(const char* p, char* out, const JsonShape& shape, int depth) {
  return step(p, out, shape, depth);
}

/// The one switch, `p` before the end of the line.
[[gnu::always_inline]] inline PlainJson::At PlainJson::step(const char* p, char* out,
                                                            const JsonShape& shape, int depth) {
  switch (*p) {
    case '"':
      return string(p + 1, out, shape);
    case '{':
      return fields(p + 1, out, shape, depth);
    case '[':
      return list(p + 1, out, shape, shape.kind, depth);
    case 'n':
      if (std::memcmp(p, "null", 4) != 0) return {};
      *out = '#';
      return {p + 4, out + 1};
    case 't':
      if (std::memcmp(p, "true", 4) != 0) return {};
      *out = yson::marker::kTrue;
      return {p + 4, out + 1};
    case 'f':
      if (std::memcmp(p, "false", 5) != 0) return {};
      *out = yson::marker::kFalse;
      return {p + 5, out + 1};
    default:
      return number(p, out, shape);
  }
}

[[gnu::always_inline]] inline PlainJson::At PlainJson::string(const char* p, char* out,
                                                              const JsonShape& shape) {
  const Inside inside = find_close(p, end_);
  if (inside.close == nullptr) [[unlikely]]
    return {};
  const auto size = static_cast<size_t>(inside.close - p);
  const bool is_number = shape.kind >= JsonKind::Signed && shape.kind <= JsonKind::Boolean;
  if (inside.escaped || inside.high || is_number) [[unlikely]]
    return rare_string(p, inside.close, inside.escaped, inside.high, out, shape);
  if (size <= 32) [[likely]] {
    out[0] = yson::marker::kString;
    out[1] = static_cast<char>(size << 1);
    std::memcpy(out + 2, p, 16);
    std::memcpy(out + 18, p + 16, 16);
    out += size + 2;
  } else {
    out = yson::write_binary_string(out, {p, size});
  }
  return {inside.close + 1, out};
}

/// A string with escapes, with more than ASCII, or in the place of a number.
PlainJson::At PlainJson::rare_string(const char* p, const char* close, bool escaped, bool high,
                                     char* out, const JsonShape& shape) {
  std::string_view text(p, static_cast<size_t>(close - p));
  if (high && !is_valid_utf8(text)) return {};
  if (escaped) {
    // What unescapes is made with the first capacity, which nothing else here asks for.
    if (parser_.capacity() == 0 && parser_.allocate(kPadding) != simdjson::SUCCESS) return {};
    // The quote that ends it is found; bytes are copied in whole registers.
    unescaped_.resize(std::max(unescaped_.size(), text.size() + kPadding));
    auto* to = static_cast<uint8_t*>(static_cast<void*>(unescaped_.data()));
    const auto* from = static_cast<const uint8_t*>(static_cast<const void*>(p));
    if (parser_.unescape(simdjson::ondemand::raw_json_string(from), to).get(text) !=
        simdjson::SUCCESS) {
      return {};
    }
    high = std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; });
  }
  if (shape.kind == JsonKind::Real && form_.reads_specials()) {
    if (const auto real = special_number(text)) {
      return {close + 1, yson::write_binary_double(out, *real)};
    }
  }
  const bool is_number = shape.kind >= JsonKind::Signed && shape.kind <= JsonKind::Boolean;
  if (is_number && form_.stringify) return {};
  if (high && !decode_json_string(&text, form_.encode_utf8, &decoded_, strings_)) return {};
  return {close + 1, yson::write_binary_string(out, text)};
}

[[gnu::always_inline]] inline PlainJson::At PlainJson::number(const char* p, char* out,
                                                              const JsonShape& shape) {
  const char* const readable = end_ + kPadding;
  const bool negative = *p == '-';
  // A zero in front of other digits is no number of JSON.
  const char* const first = p + (negative ? 1 : 0);
  if (*first == '0' && is_ascii_digit(first[1])) [[unlikely]]
    return {};
  const bool real = shape.kind == JsonKind::Real;
  if (real || shape.kind == JsonKind::Any) {
    const yson::DoubleRead read = yson::read_usual_double(p, readable);
    // All integers below are numbers of the type.
    const double most = shape.bits == kFloatBits ? 0x1p24 : 0x1p53;
    if (read.next != nullptr && read.next[-1] != '.' && std::fabs(read.value) < most) [[likely]] {
      return {read.next, yson::write_binary_double(out, read.value)};
    }
  }
  if (shape.kind != JsonKind::Unsigned || !negative) {
    const yson::Int64Read read = yson::read_usual_int64(p, readable);
    if (read.next != nullptr) [[likely]] {
      if (shape.kind == JsonKind::Unsigned) {
        return {read.next, yson::write_binary_uint64(out, static_cast<uint64_t>(read.value))};
      }
      if (!real) return {read.next, yson::write_binary_int64(out, read.value)};
      if (!fits_bits(read.value, shape.bits)) [[unlikely]]
        return {};
      // Zero has a sign here.
      const auto value = static_cast<double>(read.value);
      return {read.next, yson::write_binary_double(out, negative && value == 0 ? -0.0 : value)};
    }
  }
  return rare_number(p, out, shape);
}

PlainJson::At PlainJson::rare_number(const char* p, char* out, const JsonShape& shape) const {
  const char* stop = p;
  while (stop < end_ &&
         (yson::is_number_start(*stop) || *stop == '.' || *stop == 'e' || *stop == 'E')) {
    ++stop;
  }
  const std::string_view token(p, static_cast<size_t>(stop - p));
  if (!is_json_number(token)) return {};
  const bool whole = token.find_first_of(".eE") == std::string_view::npos;
  if (whole && shape.kind == JsonKind::Unsigned) {
    uint64_t natural = 0;
    if (!yson::read_known_digits(p, stop, natural)) return {};
    return {stop, yson::write_binary_uint64(out, natural)};
  }
  if (whole || (shape.kind != JsonKind::Real && shape.kind != JsonKind::Any)) return {};
  yson::Number number;
  const char* at = p;
  if (yson::read_number(at, end_ + kPadding, number) != yson::Status::Ok || at != stop) return {};
  const std::optional<double> real = number_of(number.real, token, shape.bits);
  if (!real) return {};
  return {stop, yson::write_binary_double(out, *real)};
}

}  // namespace xwalk::yt
