#include <limits>
#include <optional>

#include <fmt/format.h>

#include "xwalk/base/exact_double.h"
#include "xwalk/base/text.h"
#include "xwalk/yt/decode_token_internal.h"

namespace xwalk::yt {
namespace {

using yson::Status;

/// Reads any number; `expected` names the kind wanted.
const char* read_rare_number(const char* p, DecodeContext& context, yson::NumberKind kind,
                             const char* expected, yson::Number* number) {
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

bool fail_end(DecodeContext& context, const char* p) {
  context.incomplete = true;
  context.at = p;
  context.message = "expected more bytes, found the end of the input";
  return false;
}

bool fail(DecodeContext& context, const char* p, std::string message, std::string hint) {
  context.at = p;
  context.message = std::move(message);
  context.hint = std::move(hint);
  return false;
}

bool fail_status(DecodeContext& context, const char* p, Status status) {
  if (status == Status::Truncated) return fail_end(context, p);
  return fail(context, p, std::string(yson::describe(status)));
}

bool unwind_item(DecodeContext& context, size_t index) {
  context.path.push_back({Path::Step::Kind::ItemAt, {}, index});
  return false;
}

bool unwind_field(DecodeContext& context, std::string name) {
  context.path.push_back({Path::Step::Kind::Field, std::move(name), 0});
  return false;
}

bool unwind_entry(DecodeContext& context, const Step& dict, bool key, size_t index) {
  unwind_entry(dict, key, index, &context.path);
  return false;
}

bool fail_type(DecodeContext& context, const char* p, const std::string& expected) {
  std::string found = describe_token(p, context.end);
  std::string hint;
  if (found.starts_with("int64") && expected == "uint64") {
    hint = "unsigned numbers end in u in text";
  } else if (expected == "double" && (found.starts_with("int64") || found.starts_with("uint64"))) {
    hint =
        "doubles have a point or an exponent in text; a schema with the attribute "
        "<integers_in_doubles=%true> accepts integers";
  } else if (found == "attributes") {
    hint = "values of a typed column carry no attributes";
  }
  return fail(context, p, "expected " + expected + ", found " + found, std::move(hint));
}

yson::Int64Read read_rare_signed(const char* p, DecodeContext& context, const char* expected) {
  yson::Number number;
  p = read_rare_number(p, context, yson::NumberKind::Int64, expected, &number);
  return {p, number.int64};
}

yson::Uint64Read read_rare_unsigned(const char* p, DecodeContext& context) {
  yson::Number number;
  p = read_rare_number(p, context, yson::NumberKind::Uint64, "uint64", &number);
  return {p, number.uint64};
}

namespace {

/// Reads an integer as the double that equals it. For anything else the place is null, and
/// `is_integer` is true for an integer that no double equals.
yson::DoubleRead read_integer_as_real(const char* p, DecodeContext& context, bool* is_integer) {
  yson::Number number;
  if (*p == yson::marker::kInt64) {
    number.kind = yson::NumberKind::Int64;
    if (yson::read_binary_int64(++p, context.end, number.int64) != Status::Ok) return {nullptr, 0};
  } else if (*p == yson::marker::kUint64) {
    number.kind = yson::NumberKind::Uint64;
    if (yson::read_binary_uint64(++p, context.end, number.uint64) != Status::Ok) {
      return {nullptr, 0};
    }
  } else if (!yson::is_number_start(*p) ||
             yson::read_number(p, context.end, number) != Status::Ok) {
    return {nullptr, 0};
  }
  if (number.kind == yson::NumberKind::Double) return {nullptr, 0};
  *is_integer = true;
  const std::optional<double> real = number.kind == yson::NumberKind::Int64
                                         ? double_equal_to(number.int64)
                                         : double_equal_to(number.uint64);
  if (!real) return {nullptr, 0};
  ++context.integers_met;
  return {p, *real};
}

}  // namespace

yson::DoubleRead read_rare_real(const char* p, DecodeContext& context) {
  if (context.integers_in_doubles) {
    bool is_integer = false;
    const yson::DoubleRead read = read_integer_as_real(p, context, &is_integer);
    if (read.next != nullptr) return read;
    if (is_integer) {
      fail_type(context, p, "an integer that a double holds exactly");
      return {nullptr, 0};
    }
  }
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

int read_rare_bool(const char* p, DecodeContext& context) {
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

const char* read_rare_quoted(const char* p, DecodeContext& context, std::string_view* bytes,
                             bool* escaped) {
  const char* at = p + 1;
  Status status = yson::read_quoted(at, context.end, *bytes, *escaped);
  if (status == Status::Ok) return at;
  fail_status(context, p, status);
  return nullptr;
}

std::string_view unescaped(const RawString& value, DecodeContext& context) {
  context.scratch.clear();
  char* out = context.scratch.reserve(value.bytes.size());
  size_t size = yson::unescape(value.bytes, out);
  context.scratch.set_end(out + size);
  return {out, size};
}

}  // namespace xwalk::yt
