#include "xwalk/vortex/text.h"

// The text form: printed as the living system shows it, and parsed where names are quoted.

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/vortex/extension.h"

namespace xwalk::vortex {
namespace {

enum class Style { Display, Parseable };

bool is_word(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](char c) { return is_ascii_alnum(c) || c == '_'; });
}

bool is_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return is_ascii_alnum(c) || c == '_' || c == '.' || c == '-';
  });
}

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
  explicit Parser(std::string_view text) : text_(text) {}

  DType parse() {
    DType type = parse_type(0);
    skip_space();
    if (at_ < text_.size()) fail("the end", at_);
    return type;
  }

  FieldPath parse_path() {
    FieldPath path;
    expect('$');
    while (take('.')) path.push_back(name());
    skip_space();
    if (at_ < text_.size()) fail("'.' or the end", at_);
    return path;
  }

 private:
  [[noreturn]] void fail(std::string_view expected, size_t at) const {
    std::string found = at < text_.size() ? clipped(text_.substr(at, 20)) : "the end";
    throw Error(ErrorCode::Input, fmt::format("expected {}, found {}", expected, found),
                place_in_text(text_, at));
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}'", c), at_);
  }

  int64_t integer(int64_t low, int64_t high) {
    skip_space();
    int64_t value = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || value < low || value > high) {
      fail(fmt::format("an integer from {} to {}", low, high), at_);
    }
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  std::string word() {
    skip_space();
    size_t begin = at_;
    while (at_ < text_.size() && (is_ascii_alnum(text_[at_]) || text_[at_] == '_' ||
                                  text_[at_] == '.' || text_[at_] == '-')) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string quoted_name() {
    size_t begin = at_ - 1;
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] != '\\') {
        out += text_[at_++];
        continue;
      }
      if (at_ + 1 >= text_.size()) break;
      char escape = text_[at_ + 1];
      at_ += 2;
      switch (escape) {
        case '0':
          out += '\0';
          break;
        case 't':
          out += '\t';
          break;
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case '\'':
        case '"':
        case '\\':
          out += escape;
          break;
        case 'u':
          append_code_point(&out);
          break;
        default:
          fail("an escape of \\0 \\t \\n \\r \\' \\\" \\\\ \\u{…}", at_ - 2);
      }
    }
    if (at_ >= text_.size()) fail("a closing quote", begin);
    ++at_;
    if (!is_valid_utf8(out)) fail("UTF-8 in a name", begin);
    return out;
  }

  void append_code_point(std::string* out) {
    expect('{');
    uint32_t value = 0;
    auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value, 16);
    if (error != std::errc() || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      fail("a code point in hex", at_);
    }
    at_ = static_cast<size_t>(end - text_.data());
    expect('}');
    auto put = [&](uint32_t bits) { *out += static_cast<char>(bits); };
    if (value < 0x80) {
      put(value);
    } else if (value < 0x800) {
      put(0xC0 | value >> 6), put(0x80 | (value & 0x3F));
    } else if (value < 0x10000) {
      put(0xE0 | value >> 12), put(0x80 | (value >> 6 & 0x3F)), put(0x80 | (value & 0x3F));
    } else {
      put(0xF0 | value >> 18), put(0x80 | (value >> 12 & 0x3F));
      put(0x80 | (value >> 6 & 0x3F)), put(0x80 | (value & 0x3F));
    }
  }

  std::string name() {
    skip_space();
    if (take('"')) return quoted_name();
    size_t begin = at_;
    while (at_ < text_.size() && (is_ascii_alnum(text_[at_]) || text_[at_] == '_')) ++at_;
    if (at_ == begin) fail("a name (quote names outside [A-Za-z0-9_])", at_);
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool nullable() { return take('?'); }

  std::vector<Member> members(char close, std::vector<uint8_t>* ids, int depth) {
    std::vector<Member> out;
    if (take(close)) return out;
    do {
      std::string member = name();
      if (ids != nullptr) {
        ids->push_back(take('@') ? static_cast<uint8_t>(integer(0, 255))
                                 : static_cast<uint8_t>(ids->size()));
      }
      expect('=');
      out.push_back({std::move(member), parse_type(depth + 1)});
    } while (take(','));
    expect(close);
    return out;
  }

  DType parse_type(int depth) {
    if (depth > limits::kSchemaDepth) {
      fail(fmt::format("at most {} nested types", limits::kSchemaDepth), at_);
    }
    skip_space();
    size_t begin = at_;
    try {
      return parse_checked(depth);
    } catch (Error& error) {
      // A rule of the format that a factory found broken: it happened where the type begins.
      if (!error.place().line) error.place() = place_in_text(text_, begin);
      throw;
    }
  }

  DType parse_checked(int depth) {
    if (take('{')) {
      std::vector<Member> fields = members('}', nullptr, depth);
      return DType::struct_(std::move(fields), nullable());
    }
    size_t begin = at_;
    std::string kind = take('"') ? quoted_name() : word();
    bool quoted_id = begin < text_.size() && text_[begin] == '"';
    if (quoted_id) return extension(std::move(kind), depth);
    if (kind == "null") return DType::null();
    for (const KindRow& row : kKindRows) {
      if (row.plain && kind == row.name) return DType::plain(row.kind, nullable());
    }
    for (const PrimitiveRow& row : kPrimitiveRows) {
      if (kind == row.name) return DType::primitive(row.ptype, nullable());
    }
    if (kind == "decimal") {
      expect('(');
      int precision = static_cast<int>(integer(0, 255));
      expect(',');
      int scale = static_cast<int>(integer(-128, 127));
      expect(')');
      return DType::decimal(precision, scale, nullable());
    }
    if (kind == "list" || kind == "fixed_size_list") {
      expect('(');
      DType element = parse_type(depth + 1);
      expect(')');
      if (kind == "list") return DType::list(std::move(element), nullable());
      expect('[');
      auto size = static_cast<uint32_t>(integer(0, UINT32_MAX));
      expect(']');
      return DType::fixed_size_list(std::move(element), size, nullable());
    }
    if (kind == "union") {
      expect('(');
      std::vector<uint8_t> ids;
      std::vector<Member> variants = members(')', &ids, depth);
      return DType::union_(std::move(variants), std::move(ids), nullable());
    }
    if (kind == "map") {
      expect('(');
      DType key = parse_type(depth + 1);
      expect(',');
      DType value = parse_type(depth + 1);
      bool sorted = false;
      if (take(',')) {
        size_t flag = at_;
        if (word() != "keys_sorted") fail("keys_sorted=true or keys_sorted=false", flag);
        expect('=');
        std::string text = word();
        if (text != "true" && text != "false") fail("true or false", at_ - text.size());
        sorted = text == "true";
      }
      expect(')');
      return DType::map(std::move(key), std::move(value), sorted, nullable());
    }
    skip_space();
    if (!kind.empty() && at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '(')) {
      return extension(std::move(kind), depth);
    }
    fail("a type", begin);
  }

  DType extension(std::string id, int depth) {
    std::string metadata;
    if (take('[')) {
      size_t begin = at_;
      size_t end = text_.find(']', at_);
      if (end == std::string_view::npos) fail("']'", text_.size());
      std::string_view parameters = text_.substr(at_, end - at_);
      at_ = end + 1;
      if (parameters.starts_with("0x")) {
        metadata = from_hex(parameters.substr(2));
      } else if (auto known = parse_extension_parameters(id, parameters)) {
        metadata = *known;
      } else {
        fail(fmt::format("parameters of {} or metadata as 0x and hex digits", id), begin);
      }
    }
    expect('(');
    DType storage = parse_type(depth + 1);
    expect(')');
    return DType::extension(std::move(id), std::move(storage), std::move(metadata));
  }

  std::string_view text_;
  size_t at_ = 0;
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
