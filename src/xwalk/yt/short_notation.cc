// The short notation: `Optional<List<Int64>>`. Two styles are read: the one C++ prints, without
// white space, and the one of Python's type_info, with a space after comma and colon.

#include "xwalk/yt/short_notation.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {
namespace {

std::optional<TypeKind> kind_of_short_name(std::string_view name) {
  if (name == "Yson") return TypeKind::Yson;  // Python's word for it
  const auto row = std::ranges::find(kKindRows, name, &KindRow::short_name);
  if (row == kKindRows.end()) return std::nullopt;
  return row->kind;
}

std::vector<std::string> short_names() {
  std::vector<std::string> names;
  for (const KindRow& row : kKindRows) names.emplace_back(row.short_name);
  return names;
}

}  // namespace

ShortParser::ShortParser(std::string_view text, size_t position)
    : text_(text), position_(position) {}

void ShortParser::fail(const std::string& expected, std::string hint) const {
  std::string seen = position_ >= text_.size() ? "the end" : clipped(text_.substr(position_), 20);
  fail_at(position_, fmt::format("expected {}, found {}", expected, seen), std::move(hint));
}

void ShortParser::fail_at(size_t position, std::string message, std::string hint) const {
  throw Error(ErrorCode::Input, std::move(message), place_in_text(text_, position),
              std::move(hint));
}

void ShortParser::skip_space() {
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t' ||
                                      text_[position_] == '\n' || text_[position_] == '\r')) {
    ++position_;
  }
}

char ShortParser::peek() {
  skip_space();
  return position_ < text_.size() ? text_[position_] : '\0';
}

bool ShortParser::take(char c) {
  if (peek() != c || position_ >= text_.size()) return false;
  ++position_;
  return true;
}

void ShortParser::expect(char c) {
  if (!take(c)) fail(fmt::format("'{}'", c));
}

std::string_view ShortParser::word() {
  skip_space();
  size_t begin = position_;
  while (position_ < text_.size() &&
         (is_ascii_alnum(text_[position_]) || text_[position_] == '_')) {
    ++position_;
  }
  return text_.substr(begin, position_ - begin);
}

std::string ShortParser::quoted_name() {
  size_t begin = position_;
  char quote = text_[position_++];
  std::string out;
  auto digits = [&](int base, int most) {
    unsigned value = 0;
    int count = 0;
    for (; count < most && position_ < text_.size(); ++count, ++position_) {
      char c = text_[position_];
      unsigned digit = is_ascii_digit(c)      ? static_cast<unsigned>(c - '0')
                       : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                       : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                              : 99U;
      if (digit >= static_cast<unsigned>(base)) break;
      value = value * static_cast<unsigned>(base) + digit;
    }
    if (count == 0 || value > 255) fail("an escape of one byte");
    out += static_cast<char>(value);
  };
  while (true) {
    if (position_ >= text_.size()) fail_at(begin, "expected a closing quote, found the end");
    char c = text_[position_++];
    if (c == quote) return out;
    if (c != '\\') {
      out += c;
      continue;
    }
    if (position_ >= text_.size()) fail_at(begin, "expected a closing quote, found the end");
    char escape = text_[position_];
    if (escape >= '0' && escape <= '7') {
      digits(8, 3);
      continue;
    }
    ++position_;
    switch (escape) {
      case 'n':
        out += '\n';
        break;
      case 't':
        out += '\t';
        break;
      case 'r':
        out += '\r';
        break;
      case 'a':
        out += '\a';
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'v':
        out += '\v';
        break;
      case 'x':
        digits(16, 2);
        break;
      default:
        out += escape;
    }
  }
}

std::string ShortParser::name() {
  char c = peek();
  if (c == '\'' || c == '"') return quoted_name();
  std::string_view text = word();
  if (text.empty()) fail("a name");
  return std::string(text);
}

bool ShortParser::take_argument_name(std::string* name_out) {
  size_t begin = position_;
  char c = peek();
  if (c == '\'' || c == '"') {
    *name_out = quoted_name();
    if (!take(':')) fail("':' after the name");
    return true;
  }
  std::string_view text = word();
  if (!text.empty() && take(':')) {
    *name_out = std::string(text);
    return true;
  }
  position_ = begin;
  return false;
}

std::vector<ShortParser::Argument> ShortParser::arguments(int depth) {
  std::vector<Argument> out;
  expect('<');
  if (take('>')) return out;
  do {
    Argument argument;
    argument.position = position_;
    argument.named = take_argument_name(&argument.name);
    argument.type = type(depth + 1);
    out.push_back(std::move(argument));
  } while (take(','));
  expect('>');
  return out;
}

Type ShortParser::one_argument(int depth, std::string_view what) {
  size_t begin = position_;
  std::vector<Argument> args = arguments(depth);
  if (args.size() != 1 || args[0].named) {
    fail_at(begin, fmt::format("expected a single unnamed type for {}", what));
  }
  return args[0].type;
}

Type ShortParser::decimal_type() {
  auto number = [&] {
    skip_space();
    bool negative = take('-');
    size_t begin = position_;
    int value = 0;
    for (char c : word()) {
      if (!is_ascii_digit(c) || value > 1'000'000) fail_at(begin, "expected a number of digits");
      value = value * 10 + (c - '0');
    }
    if (position_ == begin) fail("a number of digits");
    return negative ? -value : value;
  };
  expect('(');
  int precision = number();
  expect(',');
  int scale = number();
  expect(')');
  return decimal(precision, scale);
}

Type ShortParser::base_type(int depth) {
  skip_space();
  size_t begin = position_;
  std::string_view text = word();
  if (text.empty()) fail("a type");
  std::optional<TypeKind> kind = kind_of_short_name(text);
  if (!kind) {
    std::string hint;
    if (text == "Boolean") {
      hint = "try \"Bool\"";
    } else {
      hint = did_you_mean(text, short_names());
    }
    fail_at(begin, fmt::format("{} is not a valid simple type", quoted(text)), std::move(hint));
  }
  switch (kind_row(*kind).composition) {
    case Composition::None:
      return *kind == TypeKind::Decimal ? decimal_type() : *kind;
    case Composition::Optional:
      return optional(one_argument(depth, "optional element"));
    case Composition::List:
      return list(one_argument(depth, "list element"));
    case Composition::Tagged: {
      expect('<');
      Type item = type(depth + 1);
      expect(',');
      char c = peek();
      if (c != '\'' && c != '"') fail("a quoted tag");
      std::string tag = quoted_name();
      expect('>');
      return tagged(std::move(tag), std::move(item));
    }
    case Composition::Dict: {
      std::vector<Argument> args = arguments(depth);
      if (args.size() != 2 || args[0].named || args[1].named) {
        fail_at(begin, "expected unnamed key and value types for dict elements");
      }
      return dict(args[0].type, args[1].type);
    }
    case Composition::Struct:
    case Composition::Tuple:
    case Composition::Variant:
      break;
  }
  return members_type(*kind, depth);
}

Type ShortParser::members_type(TypeKind kind, int depth) {
  size_t begin = position_;
  std::vector<Argument> args = arguments(depth);
  bool named =
      kind == TypeKind::Struct || (kind == TypeKind::Variant && !args.empty() && args[0].named);
  std::vector<Member> members;
  std::vector<Type> types;
  for (Argument& argument : args) {
    if (argument.named != named) {
      fail_at(begin, fmt::format("expected {} types for {} elements", named ? "named" : "unnamed",
                                 kind_name(kind)));
    }
    if (named) {
      members.emplace_back(std::move(argument.name), std::move(argument.type));
    } else {
      types.push_back(std::move(argument.type));
    }
  }
  if (kind == TypeKind::Struct) return struct_(std::move(members));
  if (kind == TypeKind::Tuple) return tuple(std::move(types));
  return named ? variant(std::move(members)) : variant_of(std::move(types));
}

Type ShortParser::type(int depth) {
  // Postfix question marks add levels outside of the parsed type.
  auto check_depth = [&](int levels) {
    if (levels > kMaxTypeDepth) {
      fail_at(position_, fmt::format("expected at most {} levels of composite types, found more",
                                     kMaxTypeDepth));
    }
  };
  check_depth(depth);
  Type out = base_type(depth);
  while (take('?')) {
    check_depth(++depth);
    out = optional(std::move(out));
  }
  return out;
}

Type parse_type_short(std::string_view text) {
  ShortParser parser(text);
  Type type = parser.type(0);
  parser.skip_space();
  if (parser.position() != text.size()) parser.fail("end-of-string");
  return type;
}

std::string short_quoted(std::string_view name) {
  bool utf8 = is_valid_utf8(name);
  std::string out = "'";
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '\'':
        out += "\\'";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !utf8)) {
          out += fmt::format("\\x{:02X}", byte);
        } else {
          out += c;
        }
    }
  }
  return out + '\'';
}

std::string print_short(const Type& type) {
  std::string_view name = kind_row(type.kind()).short_name;
  switch (type.composition()) {
    case Composition::None:
      if (!type.is(TypeKind::Decimal)) break;
      return fmt::format("{}({},{})", name, type.precision(), type.scale());
    case Composition::Optional:
    case Composition::List:
      return fmt::format("{}<{}>", name, print_short(type.item()));
    case Composition::Struct:
    case Composition::Tuple:
    case Composition::Variant: {
      std::vector<std::string> parts;
      for (const Member& member : type.members()) {
        parts.push_back(type.is_named() ? short_quoted(member.name) + ":" + print_short(member.type)
                                        : print_short(member.type));
      }
      return fmt::format("{}<{}>", name, join(parts, ","));
    }
    case Composition::Dict:
      return fmt::format("{}<{},{}>", name, print_short(type.key()), print_short(type.value()));
    case Composition::Tagged:
      return fmt::format("{}<{},{}>", name, print_short(type.item()), short_quoted(type.tag()));
  }
  return std::string(name);
}

}  // namespace xwalk::yt
