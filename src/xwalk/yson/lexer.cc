#include "xwalk/yson/lexer.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"

namespace xwalk::yson {
namespace {

/// Longest piece of the input shown in a message.
constexpr size_t kShownBytes = 40;

/// Returns the bytes from `begin` that look like one word or number, for messages.
std::string_view fault_text(const char* begin, const char* end) {
  const char* at = begin;
  while (at < end &&
         (is_ascii_alnum(*at) || std::string_view("._%+-").find(*at) != std::string_view::npos)) {
    ++at;
  }
  if (at == begin && at < end) ++at;
  return {begin, static_cast<size_t>(at - begin)};
}

/// Returns the kind of a token of one byte that has no value, or End for any other byte.
TokenKind kind_of_mark(char c) {
  switch (c) {
    case '[':
      return TokenKind::ListBegin;
    case ']':
      return TokenKind::ListEnd;
    case '{':
      return TokenKind::MapBegin;
    case '}':
      return TokenKind::MapEnd;
    case '<':
      return TokenKind::AttributesBegin;
    case '>':
      return TokenKind::AttributesEnd;
    case ';':
      return TokenKind::Separator;
    case '=':
      return TokenKind::Equals;
    case '#':
      return TokenKind::Entity;
    default:
      return TokenKind::End;
  }
}

Status take_literal(const char*& p, const char* end, Token& token) {
  Literal literal = Literal::False;
  const Status status = read_literal(p, end, literal);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (literal) {
    case Literal::False:
    case Literal::True:
      token.kind = TokenKind::Boolean;
      token.boolean = literal == Literal::True;
      break;
    case Literal::Nan:
      token.kind = TokenKind::Double;
      token.real = std::numeric_limits<double>::quiet_NaN();
      break;
    case Literal::Infinity:
    case Literal::NegativeInfinity:
      token.kind = TokenKind::Double;
      token.real = literal == Literal::Infinity ? kInfinity : -kInfinity;
      break;
  }
  return status;
}

Status take_number(const char*& p, const char* end, Token& token) {
  Number number;
  const Status status = read_number(p, end, number);
  switch (number.kind) {
    case NumberKind::Int64:
      token.kind = TokenKind::Int64;
      token.int64 = number.int64;
      break;
    case NumberKind::Uint64:
      token.kind = TokenKind::Uint64;
      token.uint64 = number.uint64;
      break;
    case NumberKind::Double:
      token.kind = TokenKind::Double;
      token.real = number.real;
      break;
  }
  return status;
}

/// Takes a token that begins with a marker of binary YSON, or a word or number.
Status take_value(const char*& p, const char* end, Token& token) {
  switch (*p) {
    case marker::kString:
      token.kind = TokenKind::String;
      return read_binary_string(++p, end, token.text);
    case marker::kInt64:
      token.kind = TokenKind::Int64;
      return read_binary_int64(++p, end, token.int64);
    case marker::kUint64:
      token.kind = TokenKind::Uint64;
      return read_binary_uint64(++p, end, token.uint64);
    case marker::kDouble:
      token.kind = TokenKind::Double;
      return read_binary_double(++p, end, token.real);
    case marker::kFalse:
    case marker::kTrue:
      token.kind = TokenKind::Boolean;
      token.boolean = *p++ == marker::kTrue;
      return Status::Ok;
    default:
      break;
  }
  if (is_number_start(*p)) return take_number(p, end, token);
  if (!is_word_start(*p)) return Status::ExpectedValue;
  token.kind = TokenKind::String;
  token.text = read_word(p, end);
  return Status::Ok;
}

}  // namespace

std::string Token::string() const {
  std::string value(text);
  if (escaped) value.resize(unescape(text, value.data()));
  return value;
}

Token Lexer::next() {
  skip_space(p_, end_);
  Token token;
  token.offset = offset();
  if (p_ == end_) return token;

  const char* begin = p_;
  Status status = Status::Ok;
  token.kind = kind_of_mark(*p_);
  if (token.kind != TokenKind::End) {
    ++p_;
  } else if (*p_ == '"') {
    token.kind = TokenKind::String;
    status = read_quoted(++p_, end_, token.text, token.escaped);
  } else if (*p_ == '%') {
    status = take_literal(p_, end_, token);
  } else {
    status = take_value(p_, end_, token);
  }
  if (status != Status::Ok) fail(status, begin, p_);
  token.size = static_cast<size_t>(p_ - begin);
  return token;
}

void Lexer::fail(std::string_view expected, const Token& found) const {
  if (found.kind == TokenKind::End) {
    throw Error(ErrorCode::Input, fmt::format("expected {}, found the end of the input", expected),
                place_in(document_, found.offset));
  }
  std::string_view text = document_.substr(found.offset, found.size);
  std::string_view kind;
  switch (found.kind) {
    case TokenKind::Boolean:
      kind = "boolean ";
      break;
    case TokenKind::Int64:
      kind = "int64 ";
      break;
    case TokenKind::Uint64:
      kind = "uint64 ";
      break;
    case TokenKind::Double:
      kind = "double ";
      break;
    case TokenKind::String:
      kind = "string ";
      text = found.text;
      break;
    case TokenKind::Entity:
      kind = "entity ";
      break;
    case TokenKind::End:
    case TokenKind::ListBegin:
    case TokenKind::ListEnd:
    case TokenKind::MapBegin:
    case TokenKind::MapEnd:
    case TokenKind::AttributesBegin:
    case TokenKind::AttributesEnd:
    case TokenKind::Separator:
    case TokenKind::Equals:
      break;
  }
  throw Error(ErrorCode::Input,
              fmt::format("expected {}, found {}{}", expected, kind, clipped(text, kShownBytes)),
              place_in(document_, found.offset, found.size));
}

void Lexer::fail(Status status, const char* begin, const char* at) const {
  if (status == Status::Truncated) {
    std::string_view what = "more bytes";
    if (*begin == '"') what = "the closing quote of a string";
    if (*begin == marker::kString) what = "the rest of a binary string";
    auto left = static_cast<size_t>(end_ - begin);
    throw Error(ErrorCode::Input, fmt::format("expected {}, found the end of the input", what),
                place_in(document_, static_cast<size_t>(begin - document_.data()), left));
  }
  std::string_view text = fault_text(std::min(at, end_), end_);
  throw Error(
      ErrorCode::Input, fmt::format("{}, found {}", describe(status), clipped(text, kShownBytes)),
      place_in(document_, static_cast<size_t>(text.data() - document_.data()), text.size()));
}

}  // namespace xwalk::yson
