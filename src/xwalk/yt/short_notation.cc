// The short notation: `Optional<List<Int64>>`. Two styles are read: the one C++ prints, without
// white space, and the one of Python's type_info, with a space after comma and colon.

#include "xwalk/yt/short_notation.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

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

struct OtherType {
  std::string_view name;
  std::string_view hint;
};

/// Names of types that YTsaurus does not have.
constexpr std::array kOtherTypes = {
    OtherType{"Boolean", "Use Bool."},
    OtherType{"Callable", "YTsaurus has no such type of YQL: such values are not stored."},
    OtherType{"DyNumber", "YTsaurus has no such type of YDB. Use String or Decimal(p,s)."},
    OtherType{"EmptyDict", "YTsaurus has no such type of YQL. Use Dict<K,V>."},
    OtherType{"EmptyList", "YTsaurus has no such type of YQL. Use List<T>."},
    OtherType{"Enum", "YTsaurus has no such type of YQL. Use Variant<'name':Void,…>."},
    OtherType{"Generic", "YTsaurus has no such type of YQL. Use Optional<Yson>."},
    OtherType{"JsonDocument", "YTsaurus has no such type of YDB. Use Json, or Optional<Yson>."},
    OtherType{"Resource", "YTsaurus has no such type of YQL: such values are not stored."},
    OtherType{"Serial", "YTsaurus has no such type of YDB. Use Int32."},
    OtherType{"BigSerial", "YTsaurus has no such type of YDB. Use Int64."},
    OtherType{"SmallSerial", "YTsaurus has no such type of YDB. Use Int16."},
    OtherType{"Set", "YTsaurus has no such type of YQL. Use Dict<T,Void>, or List<T>."},
    OtherType{"Stream", "YTsaurus has no such type of YQL. Use List<T>."},
    OtherType{"Text", "This is YDB's name of Utf8."},
    OtherType{"Bytes", "This is YDB's name of String."},
    OtherType{"Type", "YTsaurus has no such type of YQL: such values are not stored."},
    OtherType{"Unit", "YTsaurus has no such type of YQL. Use Void."},
};

/// YQL calls the types of PostgreSQL PgInt4, pgint4 and Pg<'int4'>.
constexpr std::string_view kPostgres = "pg";

std::vector<std::string> short_names() {
  std::vector<std::string> names;
  for (const KindRow& row : kKindRows) names.emplace_back(row.short_name);
  return names;
}

}  // namespace

std::string_view instead_of(std::string_view word) {
  for (const OtherType& other : kOtherTypes) {
    if (ascii_lower(word) == ascii_lower(other.name)) return other.hint;
  }
  if (ascii_lower(word).starts_with(kPostgres)) {
    return "YTsaurus has no types of PostgreSQL. Use Int32, Double, Utf8 and the like.";
  }
  return {};
}

std::string_view ShortParser::word() {
  return cursor_.take_while([](char c) { return is_ascii_alnum(c) || c == '_'; });
}

std::string ShortParser::quoted_name() {
  const auto byte = [&](unsigned base, int most, std::string* out) {
    const size_t start = cursor_.at();
    const std::string_view digits = cursor_.rest().substr(0, static_cast<size_t>(most));
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                              static_cast<int>(base));
    if (error != std::errc() || value > 255) cursor_.expected_at(start, "an escape of one byte");
    cursor_.move_to(start + static_cast<size_t>(end - digits.data()));
    *out += static_cast<char>(value);
  };
  return cursor_.quoted_text([&](std::string* out) {
    const char letter = cursor_.rest()[0];
    if (letter >= '0' && letter <= '7') return byte(8, 3, out);
    cursor_.move_to(cursor_.at() + 1);
    if (letter == 'x') return byte(16, 2, out);
    constexpr std::string_view kControls = "abtnvfr";
    const size_t control = kControls.find(letter);
    *out += control == std::string_view::npos ? letter : "\a\b\t\n\v\f\r"[control];
  });
}

std::string ShortParser::name() {
  if (at_quote()) return quoted_name();
  const std::string_view text = word();
  if (text.empty()) cursor_.expected("a name");
  return std::string(text);
}

bool ShortParser::take_argument_name(std::string* name_out) {
  const size_t start = cursor_.start();
  if (at_quote()) {
    *name_out = quoted_name();
    if (!cursor_.take(':')) cursor_.expected("':' after the name");
    return true;
  }
  const std::string_view text = word();
  if (!text.empty() && cursor_.take(':')) {
    *name_out = text;
    return true;
  }
  cursor_.move_to(start);
  return false;
}

std::vector<ShortParser::Argument> ShortParser::arguments(int depth) {
  std::vector<Argument> out;
  cursor_.expect('<');
  if (cursor_.take('>')) return out;
  do {
    Argument argument;
    argument.named = take_argument_name(&argument.name);
    argument.type = type(depth + 1);
    out.push_back(std::move(argument));
  } while (cursor_.take(','));
  cursor_.expect('>');
  return out;
}

Type ShortParser::one_argument(int depth, std::string_view what) {
  const size_t start = cursor_.start();
  std::vector<Argument> args = arguments(depth);
  if (args.size() != 1 || args[0].named) {
    cursor_.fail(start, 1, fmt::format("expected a single unnamed type for {}", what));
  }
  return args[0].type;
}

Type ShortParser::decimal_type() {
  constexpr int kMost = 1'000'000;
  const auto number = [&] {
    return static_cast<int>(cursor_.integer(-kMost, kMost, "a number of digits"));
  };
  cursor_.expect('(');
  const int precision = number();
  cursor_.expect(',');
  const int scale = number();
  cursor_.expect(')');
  return decimal(precision, scale);
}

Type ShortParser::base_type(int depth) {
  const size_t start = cursor_.start();
  const std::string_view text = word();
  if (text.empty()) cursor_.expected("a type");
  std::optional<TypeKind> kind = kind_of_short_name(text);
  if (!kind) {
    std::string hint(instead_of(text));
    if (hint.empty()) hint = did_you_mean(text, short_names());
    cursor_.fail(start, text.size(), fmt::format("{} is not a valid simple type", quoted(text)),
                 std::move(hint));
  }
  switch (kind_row(*kind).composition) {
    case Composition::None:
      return *kind == TypeKind::Decimal ? decimal_type() : *kind;
    case Composition::Optional:
      return optional(one_argument(depth, "optional element"));
    case Composition::List:
      return list(one_argument(depth, "list element"));
    case Composition::Tagged: {
      cursor_.expect('<');
      Type item = type(depth + 1);
      cursor_.expect(',');
      if (!at_quote()) cursor_.expected("a quoted tag");
      std::string tag = quoted_name();
      cursor_.expect('>');
      return tagged(std::move(tag), std::move(item));
    }
    case Composition::Dict: {
      std::vector<Argument> args = arguments(depth);
      if (args.size() != 2 || args[0].named || args[1].named) {
        cursor_.fail(start, text.size(), "expected unnamed key and value types for dict elements");
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
  const size_t start = cursor_.start();
  std::vector<Argument> args = arguments(depth);
  bool named =
      kind == TypeKind::Struct || (kind == TypeKind::Variant && !args.empty() && args[0].named);
  std::vector<Member> members;
  std::vector<Type> types;
  for (Argument& argument : args) {
    if (argument.named != named) {
      cursor_.fail(start, 1,
                   fmt::format("expected {} types for {} elements", named ? "named" : "unnamed",
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
  cursor_.check_depth(depth, kMaxTypeDepth);
  Type out = base_type(depth);
  while (cursor_.take('?')) {
    cursor_.check_depth(++depth, kMaxTypeDepth);
    out = optional(std::move(out));
  }
  return out;
}

Type parse_type_short(std::string_view text) {
  TextCursor cursor(text);
  Type type = ShortParser(&cursor).type(0);
  cursor.expect_end();
  return type;
}

std::string short_quoted(std::string_view name) { return quoted(name, '\''); }

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
