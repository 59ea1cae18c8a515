#include "xwalk/iceberg/text.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
#include "xwalk/hub/geospatial.h"
#include "xwalk/hub/letter_case.h"

namespace xwalk::iceberg {
namespace {

[[noreturn]] void refuse(std::string_view expected, std::string_view found) {
  throw Error(ErrorCode::Input, fmt::format("expected {}, found {}", expected, clipped(found)));
}

int32_t number(std::string_view text, int32_t low, int32_t high, std::string_view what) {
  const std::optional<int64_t> value = integer_of(trimmed(text), low, high);
  if (!value) refuse(fmt::format("{} from {} to {}", what, low, high), trimmed(text));
  return static_cast<int32_t>(*value);
}

std::string_view unquoted(std::string_view word) {
  word = trimmed(word);
  const bool quotes = word.size() > 1 && word.front() == '\'' && word.back() == '\'';
  return quotes ? word.substr(1, word.size() - 2) : word;
}

/// Splits the parameters in parentheses. The second is "" if there is only one. A geometry has one
/// parameter, which may hold any text.
std::pair<std::string_view, std::string_view> parameters(Kind kind, std::string_view text) {
  if (kind == Kind::Geometry) return {unquoted(text), {}};
  const size_t comma = text.find(',');
  return {unquoted(text.substr(0, comma)),
          comma == std::string_view::npos ? std::string_view() : unquoted(text.substr(comma + 1))};
}

/// Returns the algorithm of a geography, in lower case. Iceberg's own reader ignores case, and
/// refuses others.
std::string edges(std::string_view algorithm) {
  std::string out = hub::in_lower_case(algorithm, hub::Letters::Ascii);
  if (!out.empty() && std::ranges::find(hub::kEdges, out) == hub::kEdges.end()) {
    refuse("spherical, vincenty, thomas, andoyer or karney", algorithm);
  }
  return out;
}

Type with_parameters(Kind kind, std::string_view inside) {
  Type type{.kind = kind};
  const auto [first, second] = parameters(kind, inside);
  if (kind == Kind::Decimal) {
    type.precision = number(first, 1, kMaxPrecision, "a precision");
    type.scale = number(second, 0, type.precision, "a scale");
  } else if (kind == Kind::Fixed) {
    type.length = number(inside, 0, INT32_MAX, "a number of bytes");
  } else {
    // The defaults say nothing, so that a type has one form.
    if (first != "OGC:CRS84") type.crs = first;
    const std::string algorithm = edges(second);
    if (algorithm != "spherical") type.algorithm = algorithm;
  }
  return type;
}

/// Parses the text of nested types.
class WordParser {
 public:
  explicit WordParser(std::string_view text) : cursor_(text) {}

  Type parse() {
    const size_t valid = utf8_prefix(cursor_.text());
    if (valid != cursor_.text().size()) cursor_.expected_at(valid, "text in UTF-8");
    Type out = type(0);
    cursor_.expect_end();
    return out;
  }

 private:
  Field child(std::string_view name, bool required, int depth) {
    Field field;
    field.name = name;
    field.required = cursor_.take("required ") || (required && !cursor_.take("optional "));
    if (!field.required) cursor_.take("optional ");
    field.type = type(depth);
    return field;
  }

  int32_t id() {
    const size_t start = cursor_.start();
    const std::string_view digits = cursor_.take_while(is_ascii_digit);
    // Digits before a type are a name.
    const std::string_view rest = cursor_.rest();
    const size_t second = rest.find_first_of(":<>,", 1);
    if (digits.empty() || !rest.starts_with(':') || second == std::string_view::npos ||
        rest[second] != ':') {
      cursor_.move_to(start);
      return 0;
    }
    cursor_.expect(':');
    return cursor_.with_place(start, [&] { return number(digits, 1, INT32_MAX, "an id"); });
  }

  Type type(int depth) {
    cursor_.check_depth(depth);
    if (cursor_.take("list<")) {
      Type out{.kind = Kind::List};
      out.children.push_back(child(kElement, false, depth + 1));
      cursor_.expect('>');
      return out;
    }
    if (cursor_.take("map<")) {
      Type out{.kind = Kind::Map};
      out.children.push_back(child(kKey, true, depth + 1));
      cursor_.expect(',');
      out.children.push_back(child(kValue, false, depth + 1));
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
      const int32_t given = id();
      const std::string its_name = cursor_.json_name(":<>,");
      cursor_.expect(':');
      out.children.push_back(child(its_name, false, depth + 1));
      out.children.back().id = given;
    } while (cursor_.take(','));
    cursor_.expect('>');
    return out;
  }

  Type primitive() {
    const std::string_view text = cursor_.text();
    const size_t start = cursor_.start();
    size_t end = std::min(text.find_first_of("([,>\n", start), text.size());
    if (end < text.size() && (text[end] == '(' || text[end] == '[')) {
      const size_t close = text.find(text[end] == '(' ? ')' : ']', end);
      if (close == std::string_view::npos) cursor_.expected_at(end, "a closing bracket");
      end = close + 1;
    }
    cursor_.move_to(end);
    return cursor_.with_place(start,
                              [&] { return parse_primitive(trimmed(cursor_.since(start))); });
  }

  TextCursor cursor_;
};

bool is_word(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return is_ascii_alnum(c) || c == '_'; });
}

std::string name_text(const std::string& name) {
  // Schemas that break a rule are printed too: a name may hold any bytes.
  if (is_word(name)) return name;
  return nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string parameters_text(const Type& type) {
  switch (type.kind) {
    case Kind::Decimal:
      return fmt::format("({}, {})", type.precision, type.scale);
    case Kind::Fixed:
      return fmt::format("[{}]", type.length);
    case Kind::Geometry:
      return type.crs.empty() ? "" : fmt::format("({})", type.crs);
    case Kind::Geography:
      if (type.algorithm.empty()) return type.crs.empty() ? "" : fmt::format("({})", type.crs);
      return fmt::format("({}, {})", type.crs.empty() ? "OGC:CRS84" : type.crs, type.algorithm);
    case Kind::Unknown:
    case Kind::Boolean:
    case Kind::Int:
    case Kind::Long:
    case Kind::Float:
    case Kind::Double:
    case Kind::Date:
    case Kind::Time:
    case Kind::Timestamp:
    case Kind::Timestamptz:
    case Kind::TimestampNs:
    case Kind::TimestamptzNs:
    case Kind::String:
    case Kind::Uuid:
    case Kind::Binary:
    case Kind::Variant:
    case Kind::Struct:
    case Kind::List:
    case Kind::Map:
      return "";
  }
  return "";
}

std::string type_text(const Type& type, bool ids) {
  std::string out = std::string(kind_row(type.kind).name) + parameters_text(type);
  if (!is_nested(type.kind)) return out;
  out += '<';
  for (size_t i = 0; i < type.children.size(); ++i) {
    const Field& child = type.children[i];
    if (i > 0) out += ", ";
    if (type.kind == Kind::Struct) {
      if (ids) out += fmt::format("{}: ", child.id);
      out += name_text(child.name) + ": ";
    }
    const bool is_key = type.kind == Kind::Map && i == 0;
    if (child.required && !is_key) out += "required ";
    out += type_text(child.type, ids);
  }
  return out + '>';
}

}  // namespace

Type parse_primitive(std::string_view text) {
  const size_t end = std::min(text.find_first_of("(["), text.size());
  const std::string_view word = trimmed(text.substr(0, end));
  const auto* row = std::ranges::find(kKindRows, word, &KindRow::name);
  if (row == kKindRows.end() || is_nested(row->kind)) {
    std::vector<std::string> candidates;
    for (const KindRow& known : kKindRows) candidates.emplace_back(known.name);
    throw Error(ErrorCode::Input,
                fmt::format("expected a type of Iceberg, found {}", clipped(text)), {},
                did_you_mean(word, candidates));
  }
  const bool geo = is_geospatial(row->kind);
  const bool takes = row->kind == Kind::Decimal || row->kind == Kind::Fixed || geo;
  if (end == text.size()) {
    if (takes && !geo) refuse(fmt::format("{} with its parameters", row->name), text);
    return {.kind = row->kind};
  }
  const char close = row->kind == Kind::Fixed ? ']' : ')';
  const char open = row->kind == Kind::Fixed ? '[' : '(';
  if (!takes || text[end] != open || text.back() != close) {
    refuse(takes ? fmt::format("{}{}…{}", row->name, open, close) : std::string(row->name), text);
  }
  return with_parameters(row->kind, text.substr(end + 1, text.size() - end - 2));
}

Type parse_type_text(std::string_view text) { return WordParser(text).parse(); }

std::string print_type_text(const Type& type) { return type_text(type, false); }

std::string print_table(const Schema& schema) {
  std::string out = "table {\n";
  for (const Field& field : schema.fields) {
    out += fmt::format("  {}: {}: {} {}", field.id, name_text(field.name),
                       field.required ? "required" : "optional", type_text(field.type, true));
    if (field.doc) out += fmt::format(" ({})", *field.doc);
    out += '\n';
  }
  return out + "}\n";
}

}  // namespace xwalk::iceberg
