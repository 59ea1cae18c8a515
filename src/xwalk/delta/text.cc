#include "xwalk/delta/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
#include "xwalk/base/utf8.h"

namespace xwalk::delta {
namespace {

constexpr std::string_view kNotNull = " not null";

int parameter(std::string_view text, int low, int high, std::string_view what) {
  const std::optional<int64_t> value = integer_of(trimmed(text), low, high);
  if (value) return static_cast<int>(*value);
  throw Error(ErrorCode::Input, fmt::format("expected {} from {} to {}, found {}", what, low, high,
                                            clipped(trimmed(text))));
}

/// Parses the text of nested types.
class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : cursor_(text) {}

  Type parse() {
    const size_t valid = utf8_prefix(cursor_.text());
    if (valid != cursor_.text().size()) cursor_.expected_at(valid, "text in UTF-8");
    Type out = type(0);
    cursor_.expect_end();
    return out;
  }

 private:
  Field child(std::string_view name, int depth) {
    Field field;
    field.name = name;
    field.type = type(depth);
    field.nullable = !cursor_.take(trimmed(kNotNull));
    return field;
  }

  Type type(int depth) {
    cursor_.check_depth(depth);
    if (cursor_.take("array<")) {
      Type out{.kind = Kind::Array};
      out.children.push_back(child(kElement, depth + 1));
      cursor_.expect('>');
      return out;
    }
    if (cursor_.take("map<")) {
      Type out{.kind = Kind::Map};
      out.children.push_back(child(kKey, depth + 1));
      out.children.back().nullable = false;
      cursor_.expect(',');
      out.children.push_back(child(kValue, depth + 1));
      cursor_.expect('>');
      return out;
    }
    if (cursor_.take("struct<")) return members(depth);
    return primitive();
  }

  Type members(int depth) {
    Type out{.kind = Kind::Struct};
    if (cursor_.take('>')) return out;
    do {
      const std::string its_name = cursor_.json_name(":<>,");
      cursor_.expect(':');
      out.children.push_back(child(its_name, depth + 1));
    } while (cursor_.take(','));
    cursor_.expect('>');
    return out;
  }

  Type primitive() {
    const size_t start = cursor_.start();
    cursor_.take_while([](char c) { return is_ascii_alnum(c) || c == '_'; });
    if (cursor_.rest().starts_with('(')) {
      const size_t close = cursor_.rest().find(')');
      if (close == std::string_view::npos) cursor_.expected("a closing bracket");
      cursor_.move_to(cursor_.at() + close + 1);
    }
    return cursor_.with_place(start, [&] {
      // A character that begins no word is shown, not an empty text.
      return parse_primitive(cursor_.at() == start ? cursor_.rest() : cursor_.since(start));
    });
  }

  TextCursor cursor_;
};

std::string name_text(const std::string& name) {
  const bool is_word = !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_ascii_alnum(c) || c == '_';
  });
  // Schemas that break a rule are printed too: a name may hold any bytes.
  if (is_word) return name;
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Type parse_primitive(std::string_view text) {
  text = trimmed(text);
  const size_t end = std::min(text.find('('), text.size());
  const std::string_view word = trimmed(text.substr(0, end));
  const auto* row = std::ranges::find(kKindRows, word, &KindRow::name);
  if (row == kKindRows.end() || is_nested(row->kind)) {
    std::vector<std::string> candidates;
    for (const KindRow& known : kKindRows) candidates.emplace_back(known.name);
    throw Error(ErrorCode::Input, fmt::format("expected a type of Delta, found {}", clipped(text)),
                {}, did_you_mean(word, candidates));
  }
  const bool takes = row->kind == Kind::Decimal;
  const bool has = end < text.size() && text.ends_with(')');
  if (takes != has) {
    throw Error(ErrorCode::Input,
                fmt::format("expected {}, found {}", takes ? "decimal(PRECISION,SCALE)" : row->name,
                            clipped(text)));
  }
  Type type{.kind = row->kind};
  if (!takes) return type;
  const std::string_view inside = text.substr(end + 1, text.size() - end - 2);
  const size_t comma = std::min(inside.find(','), inside.size());
  type.precision = parameter(inside.substr(0, comma), 1, kMaxPrecision, "a precision");
  type.scale =
      parameter(inside.substr(std::min(comma + 1, inside.size())), 0, type.precision, "a scale");
  return type;
}

Type parse_type_text(std::string_view text) { return TypeParser(text).parse(); }

std::string print_primitive(const Type& type) {
  if (type.kind == Kind::Decimal) return fmt::format("decimal({},{})", type.precision, type.scale);
  return std::string(kind_row(type.kind).name);
}

std::string print_type_text(const Type& type) {
  if (!is_nested(type.kind)) return print_primitive(type);
  std::string out = std::string(kind_row(type.kind).name) + '<';
  for (size_t i = 0; i < type.children.size(); ++i) {
    const Field& child = type.children[i];
    if (i > 0) out += ", ";
    if (type.kind == Kind::Struct) out += name_text(child.name) + ": ";
    out += print_type_text(child.type);
    const bool is_key = type.kind == Kind::Map && i == 0;
    if (!child.nullable && !is_key) out += kNotNull;
  }
  return out + '>';
}

}  // namespace xwalk::delta
