#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "xwalk/yson/scan.h"
#include "xwalk/yt/decode_context_internal.h"

// Tokens of a row. The usual forms are read in line; what is rare, or wrong, costs a call.
namespace xwalk::yt {

/// Set the failure of a context and return false.
bool fail_end(DecodeContext& context, const char* p);
bool fail(DecodeContext& context, const char* p, std::string message, std::string hint = {});
bool fail_status(DecodeContext& context, const char* p, yson::Status status);
/// Sets the failure of a token that is not what the type asks for and returns false.
bool fail_type(DecodeContext& context, const char* p, const std::string& expected);
/// Add a step to the path of a failure and return false.
bool unwind_item(DecodeContext& context, size_t index);
bool unwind_field(DecodeContext& context, std::string name);
bool unwind_entry(DecodeContext& context, const Step& dict, bool key, size_t index);

// The place of each value hangs on the one before, so it travels in registers: readers that are not
// inlined take it and return it by value, and null says that the context has the failure.

yson::Int64Read read_rare_signed(const char* p, DecodeContext& context, const char* expected);
yson::Uint64Read read_rare_unsigned(const char* p, DecodeContext& context);
yson::DoubleRead read_rare_real(const char* p, DecodeContext& context);
/// Reads `%true` and `%false` as 1 and 0; -1 says that the context has the failure.
int read_rare_bool(const char* p, DecodeContext& context);
/// Reads a quoted string with escapes, or without an end; null for the latter.
const char* read_rare_quoted(const char* p, DecodeContext& context, std::string_view* bytes,
                             bool* escaped);

/// Reads a varint after its marker.
[[gnu::always_inline]] inline bool read_varint(const char*& p, DecodeContext& context,
                                               uint64_t& value) {
  const char* at = p + 1;
  yson::Status status = yson::read_varint(at, context.end, value);
  if (status != yson::Status::Ok) [[unlikely]]
    return fail_status(context, p, status);
  p = at;
  return true;
}

[[gnu::always_inline]] inline bool read_signed(const char*& p, DecodeContext& context,
                                               int64_t& value, const char* expected = "int64") {
  if (*p == yson::marker::kInt64) {
    uint64_t raw = 0;
    if (!read_varint(p, context, raw)) return false;
    value = yson::zigzag_decode(raw);
    return true;
  }
  yson::Int64Read read = yson::read_usual_int64(p, context.end);
  if (read.next == nullptr) [[unlikely]] {
    read = read_rare_signed(p, context, expected);
    if (read.next == nullptr) return false;
  }
  p = read.next;
  value = read.value;
  return true;
}

[[gnu::always_inline]] inline bool read_unsigned(const char*& p, DecodeContext& context,
                                                 uint64_t& value) {
  if (*p == yson::marker::kUint64) return read_varint(p, context, value);
  yson::Uint64Read read = yson::read_usual_uint64(p, context.end);
  if (read.next == nullptr) [[unlikely]] {
    read = read_rare_unsigned(p, context);
    if (read.next == nullptr) return false;
  }
  p = read.next;
  value = read.value;
  return true;
}

[[gnu::always_inline]] inline bool read_real(const char*& p, DecodeContext& context,
                                             double& value) {
  if (*p == yson::marker::kDouble) {
    const char* at = p + 1;
    yson::Status status = yson::read_binary_double(at, context.end, value);
    if (status != yson::Status::Ok) [[unlikely]]
      return fail_status(context, p, status);
    p = at;
    return true;
  }
  yson::DoubleRead read = yson::read_usual_double(p, context.end);
  if (read.next == nullptr) [[unlikely]] {
    read = read_rare_real(p, context);
    if (read.next == nullptr) return false;
  }
  p = read.next;
  value = read.value;
  return true;
}

[[gnu::always_inline]] inline bool read_bool(const char*& p, DecodeContext& context, bool& value) {
  if (*p == yson::marker::kTrue || *p == yson::marker::kFalse) {
    value = *p == yson::marker::kTrue;
    ++p;
    return true;
  }
  if (context.end - p >= 8) [[likely]] {
    // Without a branch on which it is: values are as good as random.
    char word[8];
    std::memcpy(word, p, 8);
    bool is_true = std::memcmp(word, "%true", 5) == 0;
    bool is_false = std::memcmp(word, "%false", 6) == 0;
    if (static_cast<int>(is_true) + static_cast<int>(is_false) != 0) [[likely]] {
      value = is_true;
      p += is_true ? 5 : 6;
      return true;
    }
  }
  int read = read_rare_bool(p, context);
  if (read < 0) return false;
  value = read != 0;
  p += read != 0 ? 5 : 6;
  return true;
}

/// A string as written in the input, with its escapes.
struct RawString {
  std::string_view bytes;
  bool escaped = false;
};

[[gnu::always_inline]] inline bool read_string(const char*& p, DecodeContext& context,
                                               RawString& value, const char* expected = "string") {
  if (*p == yson::marker::kString) {
    const char* at = p + 1;
    yson::Status status = yson::read_binary_string(at, context.end, value.bytes);
    if (status != yson::Status::Ok) [[unlikely]]
      return fail_status(context, p, status);
    value.escaped = false;
    p = at;
    return true;
  }
  if (*p == '"') {
    const char* close = yson::find_quote_or_backslash(p + 1, context.end);
    if (close < context.end && *close == '"') [[likely]] {
      value.bytes = {p + 1, static_cast<size_t>(close - p - 1)};
      value.escaped = false;
      p = close + 1;
      return true;
    }
    std::string_view bytes;
    bool escaped = false;
    const char* next = read_rare_quoted(p, context, &bytes, &escaped);
    if (next == nullptr) return false;
    value = {bytes, escaped};
    p = next;
    return true;
  }
  if (!yson::is_word_start(*p)) [[unlikely]]
    return fail_type(context, p, expected);
  const char* at = p;
  value.bytes = yson::read_word(at, context.end);
  value.escaped = false;
  p = at;
  return true;
}

/// Copies a string to `out`, which must have space for its escaped form and kByteSlack more. Short
/// strings are copied in whole 16-byte steps if the input is long enough. Returns the size.
[[gnu::always_inline]] inline size_t copy_string(char* out, const RawString& value,
                                                 const char* end) {
  const char* from = value.bytes.data();
  const size_t size = value.bytes.size();
  if (value.escaped) [[unlikely]]
    return yson::unescape(value.bytes, out);
  if (size <= 32 && end - from >= 32) [[likely]] {
    static_assert(hub::ColumnBuilder::kByteSlack >= 32);
    std::memcpy(out, from, 16);
    std::memcpy(out + 16, from + 16, 16);
  } else {
    std::memcpy(out, from, size);
  }
  return size;
}

[[gnu::always_inline]] inline void append_string(hub::ColumnBuilder& builder,
                                                 const RawString& value, const char* end) {
  char* out = builder.begin_bytes(value.bytes.size());
  builder.end_bytes(copy_string(out, value, end));
}

/// Skips white space; false at the end of the bytes.
[[gnu::always_inline]] inline bool at_token(const char*& p, DecodeContext& context) {
  if (p < context.end && !yson::is_space(*p)) [[likely]]
    return true;
  yson::skip_space(p, context.end);
  if (p == context.end) return fail_end(context, p);
  return true;
}

/// Reads a key and the `=` after it, with `p` at a token.
[[gnu::always_inline]] inline bool read_key(const char*& p, DecodeContext& context,
                                            RawString& key) {
  if (!read_string(p, context, key, "a key")) return false;
  if (!at_token(p, context)) return false;
  if (*p != '=') [[unlikely]]
    return fail_status(context, p, yson::Status::ExpectedEquals);
  ++p;
  return at_token(p, context);
}

/// Returns the bytes that a string with escapes stands for, in the scratch.
std::string_view unescaped(const RawString& value, DecodeContext& context);

/// Returns the bytes of a string without escapes, in the input or the scratch.
inline std::string_view plain_bytes(const RawString& value, DecodeContext& context) {
  return value.escaped ? unescaped(value, context) : value.bytes;
}

inline bool open_bracket(const char*& p, DecodeContext& context, char bracket,
                         const char* expected) {
  if (*p != bracket) return fail_type(context, p, expected);
  ++p;
  return true;
}

/// Moves past an optional `;` after an item. `closed` is set if the closing bracket was next and
/// has been consumed.
inline bool next_item(const char*& p, DecodeContext& context, char closing, bool* closed) {
  if (!at_token(p, context)) return false;
  *closed = false;
  if (*p == ';') {
    ++p;
    if (!at_token(p, context)) return false;
    if (*p != closing) return true;
  } else if (*p != closing) {
    return fail_status(context, p, yson::missing_after_item(closing));
  }
  ++p;
  *closed = true;
  return true;
}

}  // namespace xwalk::yt
