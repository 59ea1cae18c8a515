#include "xwalk/vortex/text.h"

// The text form: printed as the living system shows it, and parsed where names are quoted.

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/hex.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
#include "xwalk/vortex/extension.h"

namespace xwalk::vortex {
namespace {

enum class Style { Display, Parseable };

bool is_name_char(char c) { return is_ascii_alnum(c) || c == '_'; }
bool is_id_char(char c) { return is_name_char(c) || c == '.' || c == '-'; }

bool is_word(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_name_char);
}

bool is_id(std::string_view id) { return !id.empty() && std::ranges::all_of(id, is_id_char); }

/// Decodes one UTF-8 sequence of valid text.
char32_t code_point(std::string_view text, size_t* length) {
  auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<uint8_t>(text[i])); };
  char32_t first = byte(0);
  if (first < 0x80) return *length = 1, first;
  if (first < 0xE0) return *length = 2, (first & 0x1F) << 6 | (byte(1) & 0x3F);
  if (first < 0xF0) {
    return *length = 3, (first & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  }
  return *length = 4,
         (first & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
}

/// Code points without a printed form that show up in names: controls, separators, zero-width and
/// direction marks, private use.
bool is_unprintable(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0x3000 ||
         c == 0xFEFF || (c >= 0xE000 && c <= 0xF8FF) || c >= 0xE0000;
}

/// Escapes as the living system's Display does: quotes and backslashes too.
std::string escaped(std::string_view name) {
  std::string out;
  for (size_t i = 0, length = 1; i < name.size(); i += length) {
    char32_t c = code_point(name.substr(i), &length);
    switch (c) {
      case 0:
        out += "\\0";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\'':
        out += "\\'";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        if (is_unprintable(c)) {
          out += fmt::format("\\u{{{:x}}}", static_cast<uint32_t>(c));
        } else {
          out += name.substr(i, length);
        }
    }
  }
  return out;
}

std::string name_text(std::string_view name, Style style) {
  if (style == Style::Display) return escaped(name);
  return is_word(name) ? std::string(name) : '"' + escaped(name) + '"';
}

std::string print(const DType& type, Style style);

std::string members_text(const DType& type, Style style) {
  std::string out;
  std::span<const uint8_t> ids = type.type_ids();
  bool consecutive = true;
  for (size_t i = 0; i < ids.size(); ++i) consecutive &= ids[i] == i;
  for (size_t i = 0; i < type.members().size(); ++i) {
    const Member& member = type.members()[i];
    if (i > 0) out += ", ";
    out += name_text(member.name, style);
    if (!consecutive) out += fmt::format("@{}", ids[i]);
    out += '=' + print(member.type, style);
  }
  return out;
}

std::string extension_text(const DType& type, Style style) {
  std::string parameters = extension_parameters(type.id(), type.metadata());
  if (style == Style::Parseable) {
    auto back =
        parameters.empty() ? std::string() : parse_extension_parameters(type.id(), parameters);
    if (back != type.metadata()) parameters = "0x" + to_hex(type.metadata());
  }
  std::string id =
      style == Style::Display || is_id(type.id()) ? type.id() : '"' + escaped(type.id()) + '"';
  if (!parameters.empty()) parameters = '[' + parameters + ']';
  return fmt::format("{}{}({})", id, parameters, print(type.storage(), style));
}

std::string print(const DType& type, Style style) {
  std::string mark = type.nullable() ? "?" : "";
  switch (type.kind()) {
    case Kind::Null:
      return "null";
    case Kind::Bool:
    case Kind::Utf8:
    case Kind::Binary:
    case Kind::Variant:
      return std::string(kind_row(type.kind()).name) + mark;
    case Kind::Primitive:
      return std::string(ptype_name(type.ptype())) + mark;
    case Kind::Decimal:
      return fmt::format("decimal({},{}){}", type.precision(), type.scale(), mark);
    case Kind::Struct:
      return '{' + members_text(type, style) + '}' + mark;
    case Kind::List:
      return fmt::format("list({}){}", print(type.element(), style), mark);
    case Kind::Extension:
      return extension_text(type, style);
    case Kind::FixedSizeList:
      return fmt::format("fixed_size_list({})[{}]{}", print(type.element(), style), type.size(),
                         mark);
    case Kind::Union:
      return "union(" + members_text(type, style) + ')' + mark;
    case Kind::Map:
      return fmt::format("map({}, {}, keys_sorted={}){}", print(type.key(), style),
                         print(type.value(), style), type.keys_sorted(), mark);
  }
  return "";
}

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  DType parse() {
    DType type = parse_type(0);
    cursor_.expect_end();
    return type;
  }

  FieldPath parse_path() {
    FieldPath path;
    cursor_.expect('$');
    while (cursor_.take('.')) path.push_back(name());
    if (!cursor_.at_end()) cursor_.expected("'.' or the end");
    return path;
  }

 private:
  std::string quoted_name() {
    const size_t start = cursor_.start();
    std::string out = cursor_.quoted_text("0tnr'\"\\u");
    if (!is_valid_utf8(out)) {
      cursor_.fail(start, cursor_.at() - start,
                   fmt::format("expected a name in UTF-8, found {}", clipped(out)));
    }
    return out;
  }

  std::string name() {
    if (cursor_.peek('"')) return quoted_name();
    return std::string(cursor_.word(is_name_char, "a name (quote names outside [A-Za-z0-9_])"));
  }

  bool nullable() { return cursor_.take('?'); }

  std::vector<Member> members(char close, std::vector<uint8_t>* ids, int depth) {
    std::vector<Member> out;
    if (cursor_.take(close)) return out;
    do {
      std::string member = name();
      if (ids != nullptr) {
        ids->push_back(static_cast<uint8_t>(cursor_.take('@') ? cursor_.integer(0, 255)
                                                              : static_cast<int64_t>(ids->size())));
      }
      cursor_.expect('=');
      out.push_back({std::move(member), parse_type(depth + 1)});
    } while (cursor_.take(','));
    cursor_.expect(close);
    return out;
  }

  DType parse_type(int depth) {
    cursor_.check_depth(depth);
    // A rule of the format can be broken too: its error has no place of its own.
    return cursor_.with_place(cursor_.start(), [&] { return parse_checked(depth); });
  }

  DType parse_checked(int depth) {
    if (cursor_.take('{')) {
      std::vector<Member> fields = members('}', nullptr, depth);
      return DType::struct_(std::move(fields), nullable());
    }
    if (cursor_.peek('"')) return extension(quoted_name(), depth);
    const size_t start = cursor_.at();
    const std::string_view kind = cursor_.take_while(is_id_char);
    if (kind == "null") return DType::null();
    for (const KindRow& row : kKindRows) {
      if (row.plain && kind == row.name) return DType::plain(row.kind, nullable());
    }
    for (const PrimitiveRow& row : kPrimitiveRows) {
      if (kind == row.name) return DType::primitive(row.ptype, nullable());
    }
    if (kind == "decimal") return decimal();
    if (kind == "list" || kind == "fixed_size_list") {
      cursor_.expect('(');
      DType element = parse_type(depth + 1);
      cursor_.expect(')');
      if (kind == "list") return DType::list(std::move(element), nullable());
      cursor_.expect('[');
      const auto size = static_cast<uint32_t>(cursor_.integer(0, UINT32_MAX));
      cursor_.expect(']');
      return DType::fixed_size_list(std::move(element), size, nullable());
    }
    if (kind == "union") {
      cursor_.expect('(');
      std::vector<uint8_t> ids;
      std::vector<Member> variants = members(')', &ids, depth);
      return DType::union_(std::move(variants), std::move(ids), nullable());
    }
    if (kind == "map") return map(depth);
    if (!kind.empty() && (cursor_.peek('[') || cursor_.peek('('))) {
      return extension(std::string(kind), depth);
    }
    cursor_.expected_at(start, "a type");
  }

  DType decimal() {
    cursor_.expect('(');
    const auto precision = static_cast<int>(cursor_.integer(0, 255));
    cursor_.expect(',');
    const auto scale = static_cast<int>(cursor_.integer(-128, 127));
    cursor_.expect(')');
    return DType::decimal(precision, scale, nullable());
  }

  DType map(int depth) {
    cursor_.expect('(');
    DType key = parse_type(depth + 1);
    cursor_.expect(',');
    DType value = parse_type(depth + 1);
    bool sorted = false;
    if (cursor_.take(',')) {
      const size_t flag = cursor_.start();
      if (cursor_.take_while(is_id_char) != "keys_sorted") {
        cursor_.expected_at(flag, "keys_sorted=true or keys_sorted=false");
      }
      cursor_.expect('=');
      const size_t start = cursor_.start();
      const std::string_view word = cursor_.take_while(is_id_char);
      if (word != "true" && word != "false") cursor_.expected_at(start, "true or false");
      sorted = word == "true";
    }
    cursor_.expect(')');
    return DType::map(std::move(key), std::move(value), sorted, nullable());
  }

  DType extension(std::string id, int depth) {
    std::string metadata;
    if (cursor_.take('[')) {
      const size_t start = cursor_.at();
      const size_t length = cursor_.rest().find(']');
      if (length == std::string_view::npos) cursor_.expected_at(cursor_.text().size(), "']'");
      const std::string_view parameters = cursor_.rest().substr(0, length);
      cursor_.move_to(start + length + 1);
      if (parameters.starts_with("0x")) {
        metadata = from_hex(parameters.substr(2));
      } else if (auto known = parse_extension_parameters(id, parameters)) {
        metadata = *known;
      } else {
        cursor_.fail(start, std::max<size_t>(1, length),
                     fmt::format("expected parameters of {} or metadata as 0x and hex digits, "
                                 "found {}",
                                 id, clipped(parameters)));
      }
    }
    cursor_.expect('(');
    DType storage = parse_type(depth + 1);
    cursor_.expect(')');
    return DType::extension(std::move(id), std::move(storage), std::move(metadata));
  }

  TextCursor cursor_;
};

}  // namespace

std::string print_display(const DType& type) { return print(type, Style::Display); }
std::string print_text(const DType& type) { return print(type, Style::Parseable); }
DType parse_text(std::string_view text) { return Parser(text).parse(); }

std::string print_field_path(const FieldPath& path) {
  std::string out = "$";
  for (const std::string& name : path) out += '.' + name_text(name, Style::Parseable);
  return out;
}
FieldPath parse_field_path(std::string_view text) { return Parser(text).parse_path(); }

}  // namespace xwalk::vortex
