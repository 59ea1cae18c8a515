#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/option.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/transcode.h"
#include "xwalk/yt/kinds.h"
#include "xwalk/yt/row_run_internal.h"
#include "xwalk/yt/scalar_values_internal.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {
namespace {

using hub::ColumnBuilder;
using yson::Status;

/// Open brackets that a value may still have below the row and the schema around it.
constexpr int kFreeDepth = 254 - kMaxTypeDepth;

[[gnu::noinline]] bool fail_end(DecodeContext& context, const char* p) {
  context.incomplete = true;
  context.at = p;
  context.message = "expected more bytes, found the end of the input";
  return false;
}

[[gnu::noinline]] bool fail(DecodeContext& context, const char* p, std::string message,
                            std::string hint = {}) {
  context.at = p;
  context.message = std::move(message);
  context.hint = std::move(hint);
  return false;
}

[[gnu::noinline]] bool fail_status(DecodeContext& context, const char* p, Status status) {
  if (status == Status::Truncated) return fail_end(context, p);
  return fail(context, p, std::string(yson::describe(status)));
}

std::string range_text(const Step& step) {
  auto low = static_cast<int64_t>(step.min);
  if (is_unsigned(step.type.kind())) return fmt::format("[0, {}]", step.span);
  return fmt::format("[{}, {}]", low, static_cast<int64_t>(step.min + step.span));
}

template <typename T>
[[gnu::noinline]] bool fail_range(DecodeContext& context, const char* p, const Step& step,
                                  T value) {
  return fail(context, p,
              fmt::format("expected {} in the range {}, found {}", kind_name(step.type.kind()),
                          range_text(step), value));
}

[[gnu::noinline]] bool unwind_item(DecodeContext& context, size_t index) {
  context.path.push_back({Path::Step::Kind::ItemAt, {}, index});
  return false;
}

[[gnu::noinline]] bool unwind_field(DecodeContext& context, std::string name) {
  context.path.push_back({Path::Step::Kind::Field, std::move(name), 0});
  return false;
}

[[gnu::noinline]] bool unwind_entry(DecodeContext& context, const Step& dict, bool key,
                                    size_t index) {
  unwind_entry(dict, key, index, &context.path);
  return false;
}

// The place of each value hangs on the one before, so it travels in registers: readers that are not
// inlined take it and return it by value, and null says that the context has the failure.

/// Reads any number; `expected` names the kind wanted.
[[gnu::noinline]] const char* read_rare_number(const char* p, DecodeContext& context,
                                               yson::NumberKind kind, const char* expected,
                                               yson::Number* number) {
  if (!yson::is_number_start(*p)) {
    fail_type(context, p, expected);
    return nullptr;
  }
  const char* at = p;
  Status status = yson::read_number(at, context.end, *number);
  if (status == Status::Ok && number->kind == kind) return at;
  if (status == Status::Ok) {
    fail_type(context, p, expected);
  } else {
    fail_status(context, p, status);
  }
  return nullptr;
}

[[gnu::noinline]] yson::Int64Read read_rare_signed(const char* p, DecodeContext& context,
                                                   const char* expected) {
  yson::Number number;
  p = read_rare_number(p, context, yson::NumberKind::Int64, expected, &number);
  return {p, number.int64};
}

[[gnu::noinline]] yson::Uint64Read read_rare_unsigned(const char* p, DecodeContext& context) {
  yson::Number number;
  p = read_rare_number(p, context, yson::NumberKind::Uint64, "uint64", &number);
  return {p, number.uint64};
}

[[gnu::noinline]] yson::DoubleRead read_rare_real(const char* p, DecodeContext& context) {
  if (*p != '%') {
    yson::Number number;
    p = read_rare_number(p, context, yson::NumberKind::Double, "double", &number);
    return {p, number.real};
  }
  const char* at = p;
  yson::Literal literal;
  Status status = yson::read_literal(at, context.end, literal);
  if (status != Status::Ok) {
    fail_status(context, p, status);
    return {nullptr, 0};
  }
  switch (literal) {
    case yson::Literal::Nan:
      return {at, std::numeric_limits<double>::quiet_NaN()};
    case yson::Literal::Infinity:
      return {at, std::numeric_limits<double>::infinity()};
    case yson::Literal::NegativeInfinity:
      return {at, -std::numeric_limits<double>::infinity()};
    case yson::Literal::False:
    case yson::Literal::True:
      break;
  }
  fail_type(context, p, "double");
  return {nullptr, 0};
}

/// Reads a varint behind its marker.
[[gnu::always_inline]] inline bool read_varint(const char*& p, DecodeContext& context,
                                               uint64_t& value) {
  const char* at = p + 1;
  Status status = yson::read_varint(at, context.end, value);
  if (status != Status::Ok) [[unlikely]]
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
    Status status = yson::read_binary_double(at, context.end, value);
    if (status != Status::Ok) [[unlikely]]
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

/// Reads `%true` and `%false` as 1 and 0; -1 says that the context has the failure.
[[gnu::noinline]] int read_rare_bool(const char* p, DecodeContext& context) {
  const char* at = p;
  yson::Literal literal = yson::Literal::Nan;
  Status status = *p == '%' ? yson::read_literal(at, context.end, literal) : Status::Ok;
  if (status != Status::Ok) {
    fail_status(context, p, status);
  } else if (literal == yson::Literal::True || literal == yson::Literal::False) {
    return literal == yson::Literal::True ? 1 : 0;
  } else {
    fail_type(context, p, "bool");
  }
  return -1;
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

/// A string as it stands in the input.
struct RawString {
  std::string_view bytes;
  bool escaped = false;
};

/// Reads a quoted string with escapes, or without an end; null for the latter.
[[gnu::noinline]] const char* read_rare_quoted(const char* p, DecodeContext& context,
                                               RawString* value) {
  const char* at = p + 1;
  Status status = yson::read_quoted(at, context.end, value->bytes, value->escaped);
  if (status == Status::Ok) return at;
  fail_status(context, p, status);
  return nullptr;
}

[[gnu::always_inline]] inline bool read_string(const char*& p, DecodeContext& context,
                                               RawString& value, const char* expected = "string") {
  if (*p == yson::marker::kString) {
    const char* at = p + 1;
    Status status = yson::read_binary_string(at, context.end, value.bytes);
    if (status != Status::Ok) [[unlikely]]
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
    RawString rare;
    const char* next = read_rare_quoted(p, context, &rare);
    if (next == nullptr) return false;
    value = rare;
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

/// Appends a string; short ones in whole steps of 16 bytes where the input is long enough.
[[gnu::always_inline]] inline void append_string(ColumnBuilder& builder, const RawString& value,
                                                 const char* end) {
  const char* from = value.bytes.data();
  size_t size = value.bytes.size();
  char* out = builder.begin_bytes(size);
  if (value.escaped) [[unlikely]] {
    size = yson::unescape(value.bytes, out);
  } else if (size <= 32 && end - from >= 32) [[likely]] {
    static_assert(ColumnBuilder::kByteSlack >= 32);
    std::memcpy(out, from, 16);
    std::memcpy(out + 16, from + 16, 16);
  } else {
    std::memcpy(out, from, size);
  }
  builder.end_bytes(size);
}

/// Returns the bytes of a string without escapes, in the input or the scratch.
std::string_view plain_bytes(const RawString& value, DecodeContext& context) {
  if (!value.escaped) return value.bytes;
  context.scratch.clear();
  char* out = context.scratch.reserve(value.bytes.size());
  size_t size = yson::unescape(value.bytes, out);
  context.scratch.set_end(out + size);
  return {out, size};
}

bool is_ascii(std::string_view bytes) {
  const char* p = bytes.data();
  const char* end = p + bytes.size();
  uint64_t high = 0;
  for (; end - p >= 8; p += 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    high |= word;
  }
  for (; p < end; ++p) high |= static_cast<uint64_t>(static_cast<unsigned char>(*p));
  return (high & 0x8080808080808080u) == 0;
}

bool decode_utf8(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  std::string_view bytes = plain_bytes(value, context);
  if (!is_ascii(bytes) && !is_valid_utf8(bytes)) {
    return fail(context, at, "expected UTF-8, found string " + clipped(bytes));
  }
  builder.append_bytes(bytes);
  return true;
}

bool decode_json(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  std::string_view bytes = plain_bytes(value, context);
  if (!is_valid_json(bytes)) {
    return fail(context, at, "expected a JSON document, found string " + clipped(bytes));
  }
  builder.append_bytes(bytes);
  return true;
}

bool decode_float(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  double value = 0;
  const char* at = p;
  if (!read_real(p, context, value)) return false;
  constexpr double kMost = static_cast<double>(std::numeric_limits<float>::max());
  if (std::isfinite(value) && std::abs(value) > kMost) {
    return fail(
        context, at,
        fmt::format("expected float in the range [{}, {}], found {}", -kMost, kMost, value));
  }
  builder.append<float>(static_cast<float>(value));
  return true;
}

bool decode_yson(ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (*p == '<') return fail(context, p, "expected yson without attributes at its top, found <");
  if (*p == '#') return fail_type(context, p, "yson");
  const char* at = p;
  context.scratch.clear();
  Status status =
      yson::transcode(at, context.end, yson::Format::Binary, &context.scratch, kFreeDepth);
  if (status != Status::Ok) return fail_status(context, at, status);
  p = at;
  builder.append_bytes(context.scratch.view());
  return true;
}

bool decode_uuid(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  char bytes[16];
  std::string message;
  if (!read_uuid(step, plain_bytes(value, context), bytes, &message)) {
    return fail(context, at, std::move(message));
  }
  builder.append_fixed(bytes);
  return true;
}

bool decode_decimal(const Step& step, ColumnBuilder& builder, const char*& p,
                    DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  char bytes[32];
  bool special = false;
  std::string message;
  std::string_view input = plain_bytes(value, context);
  if (!read_decimal(step, input, bytes, &special, &message)) {
    return fail(context, at, std::move(message));
  }
  if (!special) {
    builder.append_fixed(bytes);
    return true;
  }
  if (step.decimal_special == DecimalSpecial::Null && step.nullable) {
    builder.append_null();
    return true;
  }
  return fail(
      context, at,
      fmt::format("expected a finite decimal, found {}",
                  step.decimal_mode == DecimalMode::Text ? quoted(input) : "nan or an infinity"),
      step.nullable
          ? "read such values as null with " + hub::mention(hub::Option::DecimalSpecial, "null")
          : "Arrow decimals have no nan and no infinities");
}

bool decode_tz(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  int64_t instant = 0;
  std::string_view zone;
  std::string message;
  if (!read_tz(step, plain_bytes(value, context), &instant, &zone, &message)) {
    return fail(context, at, std::move(message));
  }
  if (step.width == 4) {
    builder.child(0).append<int32_t>(static_cast<int32_t>(instant));
  } else {
    builder.child(0).append<int64_t>(instant);
  }
  builder.child(1).append_bytes(zone);
  builder.append_struct();
  return true;
}

bool decode_time_text(const Step& step, ColumnBuilder& builder, const char*& p,
                      DecodeContext& context) {
  RawString value;
  const char* at = p;
  if (!read_string(p, context, value)) return false;
  int64_t instant = 0;
  std::string message;
  if (!read_time_text(step, plain_bytes(value, context), &instant, &message)) {
    return fail(context, at, std::move(message));
  }
  if (!step.in_range(static_cast<uint64_t>(instant))) {
    return fail_range(context, at, step, instant);
  }
  if (step.width == 4) {
    builder.append<int32_t>(static_cast<int32_t>(instant));
  } else {
    builder.append<int64_t>(instant);
  }
  return true;
}

/// Skips white space; false at the end of the bytes.
[[gnu::always_inline]] inline bool at_token(const char*& p, DecodeContext& context) {
  if (p < context.end && !yson::is_space(*p)) [[likely]]
    return true;
  yson::skip_space(p, context.end);
  if (p == context.end) return fail_end(context, p);
  return true;
}

bool open_bracket(const char*& p, DecodeContext& context, char bracket, const char* expected) {
  if (*p != bracket) return fail_type(context, p, expected);
  ++p;
  return true;
}

/// Moves over an optional `;` behind an item; `closed` says that the closing bracket was next and
/// has been passed.
bool next_item(const char*& p, DecodeContext& context, char closing, bool* closed) {
  if (!at_token(p, context)) return false;
  *closed = false;
  if (*p == ';') {
    ++p;
    if (!at_token(p, context)) return false;
    if (*p != closing) return true;
  } else if (*p != closing) {
    return fail_status(context, p, Status::ExpectedSeparator);
  }
  ++p;
  *closed = true;
  return true;
}

bool decode_list(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (!open_bracket(p, context, '[', "a list")) return false;
  const Step& item = step.children[0];
  ColumnBuilder& items = builder.child(0);
  if (!at_token(p, context)) return false;
  bool closed = *p == ']';
  if (closed) ++p;
  for (size_t index = 0; !closed; ++index) {
    if (!decode_value(item, items, p, context) || !next_item(p, context, ']', &closed)) {
      return unwind_item(context, index);
    }
  }
  builder.append_list();
  return true;
}

/// Decodes `[a;b;…]` of a known number of values.
bool decode_elements(const Step& step, ColumnBuilder& builder, const char*& p,
                     DecodeContext& context) {
  bool tuple = step.op == Op::Tuple;
  if (!open_bracket(p, context, '[',
                    tuple ? "a list of the tuple's elements" : "a list of the struct's fields")) {
    return false;
  }
  auto name_of = [&step, tuple](size_t index) {
    return tuple ? std::to_string(index) : step.type.members()[index].name;
  };
  if (!at_token(p, context)) return false;
  bool closed = *p == ']';
  if (closed) ++p;
  size_t count = step.children.size();
  size_t index = 0;
  for (; !closed; ++index) {
    if (index == count) {
      return fail(context, p, fmt::format("expected {} values, found more", count));
    }
    if (!decode_value(step.children[index], builder.child(index), p, context) ||
        !next_item(p, context, ']', &closed)) {
      return unwind_field(context, name_of(index));
    }
  }
  for (size_t rest = index; rest < count; ++rest) {
    if (tuple || !step.children[rest].nullable) {
      return fail(context, p - 1,
                  tuple ? fmt::format("expected {} values, found {}", count, index)
                        : fmt::format("expected field {}, found the end of the struct",
                                      quoted(name_of(rest))));
    }
    builder.child(rest).append_null();
  }
  builder.append_struct();
  return true;
}

bool decode_boxed(const Step& step, ColumnBuilder& builder, const char*& p,
                  DecodeContext& context) {
  if (step.brackets) {
    if (!open_bracket(p, context, '[', "# or a list of one value")) return false;
    if (!at_token(p, context)) return false;
    if (*p == ']') {
      return fail(context, p, "expected a list of one value, found an empty list");
    }
    if (!decode_value(step.children[0], builder.child(0), p, context)) {
      return unwind_field(context, "value");
    }
    bool closed = false;
    if (!next_item(p, context, ']', &closed)) return false;
    if (!closed) return fail(context, p, "expected a list of one value, found more");
  } else if (!decode_value(step.children[0], builder.child(0), p, context)) {
    return unwind_field(context, "value");
  }
  builder.append_struct();
  return true;
}

bool read_alternative(const Step& step, const char*& p, DecodeContext& context, size_t* index) {
  const char* at = p;
  size_t count = step.children.size();
  if (step.op == Op::NamedVariant || step.op == Op::NamedWideVariant) {
    RawString name;
    if (!read_string(p, context, name, "the name of an alternative")) return false;
    std::string_view bytes = plain_bytes(name, context);
    uint32_t found = step.keys.find(bytes);
    if (found == KeyTable::kMissing) {
      return fail(context, at, "expected the name of an alternative, found " + clipped(bytes));
    }
    *index = found;
    return true;
  }
  int64_t tag = 0;
  if (!read_signed(p, context, tag, "the index of an alternative as int64")) return false;
  if (tag < 0 || static_cast<uint64_t>(tag) >= count) {
    return fail(context, at,
                fmt::format("expected the index of an alternative in the range [0, {}), found {}",
                            count, tag));
  }
  *index = static_cast<size_t>(tag);
  return true;
}

bool decode_variant(const Step& step, ColumnBuilder& builder, const char*& p,
                    DecodeContext& context) {
  if (!open_bracket(p, context, '[', "a list of alternative and value")) return false;
  if (!at_token(p, context)) return false;
  if (*p == ']') return fail(context, p, "expected alternative and value, found an empty list");
  size_t index = 0;
  if (!read_alternative(step, p, context, &index)) return false;
  bool closed = false;
  if (!next_item(p, context, ']', &closed)) return false;
  if (closed) return fail(context, p - 1, "expected a value behind the alternative, found ]");
  bool wide = step.op == Op::WideVariant || step.op == Op::NamedWideVariant;
  if (wide) {
    for (size_t other = 0; other < step.children.size(); ++other) {
      if (other != index) builder.child(other).append_null();
    }
  } else {
    builder.append_union(index);
  }
  if (!decode_value(step.children[index], builder.child(index), p, context)) {
    unwind_alternative(step, index, &context.path);
    return false;
  }
  if (!next_item(p, context, ']', &closed)) return false;
  if (!closed) return fail(context, p, "expected alternative and value, found more");
  if (wide) builder.append_struct();
  return true;
}

bool decode_pairs(const Step& step, ColumnBuilder& builder, const char*& p,
                  DecodeContext& context) {
  if (!open_bracket(p, context, '[', "a list of pairs")) return false;
  ColumnBuilder& entries = builder.child(0);
  if (!at_token(p, context)) return false;
  bool closed = *p == ']';
  if (closed) ++p;
  for (size_t index = 0; !closed; ++index) {
    bool pair_closed = false;
    if (!open_bracket(p, context, '[', "a pair of key and value")) return false;
    if (!at_token(p, context)) return false;
    if (!decode_value(step.children[0], entries.child(0), p, context)) {
      return unwind_entry(context, step, true, index);
    }
    if (!next_item(p, context, ']', &pair_closed)) return false;
    if (pair_closed) return fail(context, p - 1, "expected a pair of key and value, found one");
    if (!decode_value(step.children[1], entries.child(1), p, context)) {
      return unwind_entry(context, step, false, index);
    }
    if (!next_item(p, context, ']', &pair_closed)) return false;
    if (!pair_closed) return fail(context, p, "expected a pair of key and value, found more");
    entries.append_struct();
    if (!next_item(p, context, ']', &closed)) return false;
  }
  builder.append_list();
  return true;
}

/// Reads a key and the `=` behind it, `p` at a token.
[[gnu::always_inline]] inline bool read_key(const char*& p, DecodeContext& context,
                                            RawString& key) {
  if (!read_string(p, context, key, "a key")) return false;
  if (!at_token(p, context)) return false;
  if (*p != '=') [[unlikely]]
    return fail_status(context, p, Status::ExpectedEquals);
  ++p;
  return at_token(p, context);
}

bool decode_map(const Step& step, ColumnBuilder& builder, const char*& p, DecodeContext& context) {
  if (!open_bracket(p, context, '{', "a map")) return false;
  ColumnBuilder& entries = builder.child(0);
  if (!at_token(p, context)) return false;
  bool closed = *p == '}';
  if (closed) ++p;
  while (!closed) {
    RawString key;
    if (!read_key(p, context, key)) return false;
    append_string(entries.child(0), key, context.end);
    if (!decode_value(step.children[1], entries.child(1), p, context)) {
      return unwind_entry(context, step, false, 0);
    }
    entries.append_struct();
    if (!next_item(p, context, '}', &closed)) return false;
  }
  builder.append_list();
  return true;
}

bool decode_struct(const Step& step, ColumnBuilder& builder, const char*& p,
                   DecodeContext& context);

/// Values that take a call of their own anyway.
[[gnu::noinline]] bool decode_rare(const Step& step, ColumnBuilder& builder, const char*& p,
                                   DecodeContext& context) {
  switch (step.op) {
    case Op::Float:
      return decode_float(builder, p, context);
    case Op::Json:
      return decode_json(builder, p, context);
    case Op::Yson:
      return decode_yson(builder, p, context);
    case Op::Uuid:
      return decode_uuid(step, builder, p, context);
    case Op::DateText:
    case Op::DatetimeText:
    case Op::TimestampText:
      return decode_time_text(step, builder, p, context);
    case Op::Decimal:
      return decode_decimal(step, builder, p, context);
    case Op::Tz:
      return decode_tz(step, builder, p, context);
    case Op::List:
      return decode_list(step, builder, p, context);
    case Op::Struct:
      return decode_struct(step, builder, p, context);
    case Op::PositionalStruct:
    case Op::Tuple:
      return decode_elements(step, builder, p, context);
    case Op::Variant:
    case Op::NamedVariant:
    case Op::WideVariant:
    case Op::NamedWideVariant:
      return decode_variant(step, builder, p, context);
    case Op::Dict:
      return decode_pairs(step, builder, p, context);
    case Op::NamedDict:
      return decode_map(step, builder, p, context);
    case Op::Boxed:
      return decode_boxed(step, builder, p, context);
    case Op::Skip: {
      Status status = yson::skip_value(p, context.end, kFreeDepth);
      return status == Status::Ok || fail_status(context, p, status);
    }
    default:
      return false;
  }
}

/// The one switch. `kTop` leaves the check of utf8 to the batch.
template <bool kTop>
[[gnu::always_inline]] inline bool decode_step(const Step& step, ColumnBuilder& builder,
                                               const char*& p, DecodeContext& context) {
  if (!at_token(p, context)) return false;
  if (step.nullable && *p == '#') {
    ++p;
    builder.append_null();
    return true;
  }
  int64_t number = 0;
  uint64_t natural = 0;
  double real = 0;
  bool flag = false;
  RawString text;
  const char* at = p;
  switch (step.op) {
    case Op::Signed8:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int8_t>(static_cast<int8_t>(number));
      return true;
    case Op::Signed16:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int16_t>(static_cast<int16_t>(number));
      return true;
    case Op::Signed32:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int32_t>(static_cast<int32_t>(number));
      return true;
    case Op::Signed64:
      if (!read_signed(p, context, number)) return false;
      if (!step.in_range(number)) return fail_range(context, at, step, number);
      builder.append<int64_t>(number);
      return true;
    case Op::Unsigned8:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint8_t>(static_cast<uint8_t>(natural));
      return true;
    case Op::Unsigned16:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint16_t>(static_cast<uint16_t>(natural));
      return true;
    case Op::Unsigned32:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint32_t>(static_cast<uint32_t>(natural));
      return true;
    case Op::Unsigned64:
      if (!read_unsigned(p, context, natural)) return false;
      if (!step.in_range(natural)) return fail_range(context, at, step, natural);
      builder.append<uint64_t>(natural);
      return true;
    case Op::Double:
      if (!read_real(p, context, real)) return false;
      builder.append<double>(real);
      return true;
    case Op::Bool:
      if (!read_bool(p, context, flag)) return false;
      builder.append_bool(flag);
      return true;
    case Op::String:
      if (!read_string(p, context, text)) return false;
      append_string(builder, text, context.end);
      return true;
    case Op::Utf8:
      if constexpr (kTop) {
        if (!read_string(p, context, text)) return false;
        append_string(builder, text, context.end);
        return true;
      } else {
        const char* rare = p;
        if (!decode_utf8(builder, rare, context)) return false;
        p = rare;
        return true;
      }
    case Op::Null:
      if (*p != '#') return fail_type(context, p, "#");
      ++p;
      builder.append_null();
      return true;
    default: {
      const char* rare = p;
      if (!decode_rare(step, builder, rare, context)) return false;
      p = rare;
      return true;
    }
  }
}

[[gnu::noinline]] bool take_other(std::string_view key, yson::Buffer* others, const char*& p,
                                  DecodeContext& context) {
  if (others->empty()) others->append('{');
  char* out = others->reserve(yson::binary_string_room(key.size()) + 1);
  out = yson::write_binary_string(out, key);
  *out++ = '=';
  others->set_end(out);
  Status status = yson::transcode(p, context.end, yson::Format::Binary, others, kFreeDepth);
  if (status != Status::Ok) return fail_status(context, p, status);
  others->append(';');
  return true;
}

[[gnu::noinline]] bool fail_unknown(const Step& step, std::string_view key, bool column,
                                    const char* p, DecodeContext& context) {
  std::vector<std::string> names;
  for (size_t i = 0; i < step.keys.size(); ++i) names.push_back(step.keys.name(i));
  std::string close = closest_word(key, names);
  return fail(context, p,
              fmt::format("expected {} of the schema, found {}", column ? "a column" : "a field",
                          clipped(key)),
              close.empty() ? "" : "did you mean " + quoted(close) + "?");
}

[[gnu::noinline]] bool fill_missing(const Step& step, ColumnBuilder* const* columns, int64_t row,
                                    bool top, const char* p, DecodeContext& context) {
  for (size_t i = 0; i < step.children.size(); ++i) {
    const Step& child = step.children[i];
    if (child.op == Op::Skip || columns[i]->length() != row) continue;
    if (!child.nullable) {
      fail(context, p,
           fmt::format("expected {} {}, found none", top ? "column" : "field",
                       quoted(step.keys.name(i))));
      return unwind_field(context, step.keys.name(i));
    }
    columns[i]->append_null();
  }
  return true;
}

/// Decodes `key=value;…}`, `p` behind the `{`.
template <bool kTop>
[[gnu::always_inline]] inline bool decode_fields(const Step& step, ColumnBuilder* const* columns,
                                                 int64_t row, yson::Buffer* others,
                                                 const char*& position, DecodeContext& context) {
  const char* p = position;
  const size_t count = step.children.size();
  const KeyForm* binary = step.keys.binary();
  const KeyForm* text = step.keys.text();
  size_t expected = 0;
  size_t filled = 0;
  for (;;) {
    size_t index = expected;
    bool matched = false;
    if (context.end - p >= static_cast<ptrdiff_t>(KeyForm::kWindow)) [[likely]] {
      const KeyForm* forms = *p == yson::marker::kString ? binary : text;
      if (forms[expected].matches(p)) {
        matched = true;
      } else {
        uint32_t found = step.keys.find_form(p);
        matched = found != KeyTable::kMissing;
        if (matched) index = found;
      }
      if (matched) [[likely]]
        p += forms[index].bytes.size();
    }
    if (!matched) {
      if (!at_token(p, context)) return false;
      if (*p == '}') {
        ++p;
        break;
      }
      const char* at = p;
      RawString key;
      if (!read_key(p, context, key)) return false;
      std::string_view name = plain_bytes(key, context);
      uint32_t found = step.keys.find(name);
      if (found == KeyTable::kMissing) [[unlikely]] {
        if (!kTop || others == nullptr) return fail_unknown(step, name, kTop, at, context);
        std::string kept(name);
        if (!take_other(kept, others, p, context)) {
          return unwind_field(context, kept);
        }
        goto separator;
      }
      index = found;
    }
    {
      const Step& child = step.children[index];
      ColumnBuilder& builder = *columns[index];
      if (builder.length() != row && child.op != Op::Skip) [[unlikely]] {
        if (context.repeated_keys == RepeatedKeys::Error || !kTop) {
          fail(context, p,
               fmt::format("expected {} {} once, found it twice", kTop ? "column" : "field",
                           quoted(step.keys.name(index))),
               kTop ? "take the last one with " + hub::mention(hub::Option::DuplicateKeys, "last")
                    : "");
          return unwind_field(context, step.keys.name(index));
        }
        builder.truncate(row);
        --filled;
      }
      const char* at = p;
      if (!decode_step<kTop>(child, builder, at, context)) [[unlikely]] {
        return unwind_field(context, step.keys.name(index));
      }
      p = at;
      ++filled;
      expected = index + 1;
    }
  separator:
    if (p < context.end && *p == ';') [[likely]] {
      ++p;
      continue;
    }
    if (!at_token(p, context)) return false;
    if (*p == ';') {
      ++p;
    } else if (*p != '}') {
      return fail_status(context, p, Status::ExpectedSeparator);
    }
  }
  if (filled != count) [[unlikely]] {
    if (!fill_missing(step, columns, row, kTop, p - 1, context)) return false;
  }
  position = p;
  return true;
}

bool decode_struct(const Step& step, ColumnBuilder& builder, const char*& p,
                   DecodeContext& context) {
  if (!open_bracket(p, context, '{', "a map of the struct's fields")) return false;
  constexpr size_t kOnStack = 32;
  std::array<ColumnBuilder*, kOnStack> few;
  std::vector<ColumnBuilder*> many;
  ColumnBuilder** columns = few.data();
  size_t count = step.children.size();
  if (count > kOnStack) {
    many.resize(count);
    columns = many.data();
  }
  for (size_t i = 0; i < count; ++i) columns[i] = &builder.child(i);
  if (!decode_fields<false>(step, columns, builder.length(), nullptr, p, context)) return false;
  builder.append_struct();
  return true;
}

std::string describe_token(const char* p, const char* end) {
  auto cut = [end](const char* from, size_t size) {
    return clipped({from, std::min(size, static_cast<size_t>(end - from))});
  };
  switch (*p) {
    case '#':
      return "#";
    case '{':
      return "a map";
    case '[':
      return "a list";
    case '<':
      return "attributes";
    case '}':
    case ']':
    case '>':
    case ';':
    case '=':
      return std::string(1, *p);
    case yson::marker::kTrue:
      return "%true";
    case yson::marker::kFalse:
      return "%false";
    default:
      break;
  }
  const char* at = p;
  if (*p == '%') {
    yson::Literal literal;
    if (yson::read_literal(at, end, literal) == Status::Ok) return {p, at};
    return "a wrong literal";
  }
  if (*p == yson::marker::kInt64) {
    int64_t value;
    if (yson::read_binary_int64(++at, end, value) != Status::Ok) return "a wrong int64";
    return fmt::format("int64 {}", value);
  }
  if (*p == yson::marker::kUint64) {
    uint64_t value;
    if (yson::read_binary_uint64(++at, end, value) != Status::Ok) return "a wrong uint64";
    return fmt::format("uint64 {}", value);
  }
  if (*p == yson::marker::kDouble) {
    double value;
    if (yson::read_binary_double(++at, end, value) != Status::Ok) return "a wrong double";
    return fmt::format("double {}", value);
  }
  if (yson::is_number_start(*p)) {
    yson::Number number;
    if (yson::read_number(at, end, number) != Status::Ok) return "a wrong number";
    const char* word = number.kind == yson::NumberKind::Int64    ? "int64 "
                       : number.kind == yson::NumberKind::Uint64 ? "uint64 "
                                                                 : "double ";
    return word + std::string(p, at);
  }
  if (*p == '"') {
    std::string_view raw;
    bool escaped;
    if (yson::read_quoted(++at, end, raw, escaped) != Status::Ok) return "a string without an end";
    return "string " + cut(raw.data(), raw.size());
  }
  if (*p == yson::marker::kString) {
    std::string_view raw;
    if (yson::read_binary_string(++at, end, raw) != Status::Ok) return "a string without an end";
    return "string " + cut(raw.data(), raw.size());
  }
  if (yson::is_word_start(*p)) {
    std::string_view word = yson::read_word(at, end);
    return "string " + cut(word.data(), word.size());
  }
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(*p));
}

}  // namespace

bool fail_type(DecodeContext& context, const char* p, const std::string& expected) {
  std::string found = describe_token(p, context.end);
  std::string hint;
  if (found.starts_with("int64") && expected == "uint64") {
    hint = "unsigned numbers end in u in text";
  } else if (found == "attributes") {
    hint = "values of a typed column carry no attributes";
  }
  return fail(context, p, "expected " + expected + ", found " + found, std::move(hint));
}

bool decode_value(const Step& step, ColumnBuilder& builder, const char*& p,
                  DecodeContext& context) {
  const char* at = p;
  if (!decode_step<false>(step, builder, at, context)) return false;
  p = at;
  return true;
}

bool decode_row(const Step& row, ColumnBuilder* const* columns, int64_t index, yson::Buffer* others,
                const char*& p, DecodeContext& context) {
  return decode_fields<true>(row, columns, index, others, p, context);
}

}  // namespace xwalk::yt
