#include "xwalk/arrow/schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/hub/extension.h"
#include "xwalk/hub/kinds.h"

namespace xwalk::arrow {
namespace {

using hub::Field;
using hub::Kind;
using hub::Metadata;
using hub::TimeUnit;
using hub::Type;

bool is_name_char(char c) { return is_ascii_alnum(c) || c == '_' || c == '$'; }

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_char);
}

/// Extensions are named with dots and dashes.
bool is_word_char(char c) { return is_name_char(c) || c == '.' || c == '-'; }

/// Zones are named like paths, or by an offset.
bool is_zone_char(char c) { return is_word_char(c) || c == '/' || c == '+' || c == ':'; }

template <typename Predicate>
std::string printed(std::string_view text, Predicate plain) {
  bool bare = !text.empty() && std::all_of(text.begin(), text.end(), plain);
  return bare ? std::string(text) : quoted(text);
}

bool is_usual_map(const Type& map) {
  const Field& entries = map.child();
  const Field& key = map.key();
  return entries.name == "entries" && !entries.nullable && entries.metadata.empty() &&
         key.name == "key" && !key.nullable && key.metadata.empty() &&
         map.value().name == "value" && map.value().metadata.empty();
}

std::string print_metadata(const Metadata& metadata, bool skip_extension) {
  std::vector<std::string> entries;
  for (const auto& [key, value] : metadata) {
    if (skip_extension && (key == hub::kExtensionName || key == hub::kExtensionMetadata)) continue;
    entries.push_back(quoted(key) + ": " + quoted(value));
  }
  return entries.empty() ? "" : "{" + join(entries, ", ") + "}";
}

std::string print_fields(std::span<const Field> fields) {
  std::vector<std::string> texts;
  for (const Field& field : fields) texts.push_back(print_field(field));
  return join(texts, ", ");
}

struct Word {
  std::string_view text;
  Kind kind;
};

/// Names of types without parameters: the hub's own names first, then other spellings.
constexpr std::array kAliases = {
    Word{"boolean", Kind::Bool},         Word{"float16", Kind::HalfFloat},
    Word{"half_float", Kind::HalfFloat}, Word{"float32", Kind::Float},
    Word{"float64", Kind::Double},       Word{"utf8", Kind::Utf8},
    Word{"large_utf8", Kind::LargeUtf8}, Word{"utf8_view", Kind::Utf8View},
    Word{"decimal", Kind::Decimal128},   Word{"interval_months", Kind::IntervalMonths},
};

std::optional<Kind> kind_of(std::string_view word) {
  for (const hub::KindRow& row : hub::kKindRows) {
    if (row.name == word) return row.kind;
  }
  for (const Word& alias : kAliases) {
    if (alias.text == word) return alias.kind;
  }
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  hub::Schema schema() {
    hub::Schema out;
    skip_space();
    while (at_ < text_.size()) {
      size_t start = at_;
      std::string name = this->name();
      if (name == "metadata" && text_[start] != '"' && peek('{')) {
        out.metadata = metadata();
      } else {
        out.fields.push_back(rest_of_field(std::move(name), 0));
      }
      bool separated = take(',');
      if (!separated && at_ < text_.size() && !line_broken_) expected("a line break or a comma");
    }
    return out;
  }

  Type whole_type() {
    skip_space();
    Type out = type(0);
    if (at_ < text_.size()) expected("the end");
    return out;
  }

 private:
  Field field(int depth) {
    std::string name = this->name();
    return rest_of_field(std::move(name), depth);
  }

  /// Parses the text after a field's name.
  Field rest_of_field(std::string name, int depth) {
    need(':');
    return field_after_colon(std::move(name), depth);
  }

  Field field_after_colon(std::string name, int depth) {
    std::optional<std::string> canonical = canonical_extension();
    Field out(std::move(name), canonical ? storage_of(*canonical) : type(depth));
    if (canonical) out = hub::with_extension(std::move(out), *canonical);
    out.nullable = !not_null();
    if (take('[')) {
      std::string extension = peek('"') ? quoted_text() : word(is_word_char, "an extension name");
      std::string parameters = peek('"') ? quoted_text() : "";
      need(']');
      out = hub::with_extension(std::move(out), extension, parameters);
    }
    if (peek('{')) {
      for (const auto& [key, value] : metadata()) out.metadata.append(key, value);
    }
    return out;
  }

  /// Takes `extension<arrow.uuid>`, as pyarrow shows the extensions that it knows.
  std::optional<std::string> canonical_extension() {
    constexpr std::string_view kStart = "extension<";
    if (!text_.substr(at_).starts_with(kStart)) return std::nullopt;
    at_ += kStart.size();
    std::string name = word(is_word_char, "an extension name");
    need('>');
    return name;
  }

  Type storage_of(const std::string& extension) const {
    if (extension == hub::kUuidExtension) return hub::fixed_size_binary(16);
    if (extension == hub::kJsonExtension) return Kind::Utf8;
    if (extension == hub::kBool8Extension) return Kind::Int8;
    fail(fmt::format("the storage of extension {} is not known; write the storage type and [{}]",
                     extension, extension));
  }

  bool not_null() {
    size_t start = at_;
    bool line_broken = line_broken_;
    if (take_word("not") && take_word("null")) return true;
    at_ = start;
    line_broken_ = line_broken;
    return false;
  }

  Metadata metadata() {
    Metadata out;
    need('{');
    while (!peek('}')) {
      std::string key = quoted_text();
      need(':');
      out.append(std::move(key), quoted_text());
      if (!take(',')) break;
    }
    need('}');
    return out;
  }

  Type type(int depth) {
    if (depth > limits::kSchemaDepth) {
      fail(fmt::format("types nested deeper than {} levels", limits::kSchemaDepth));
    }
    size_t start = at_;
    std::string word = this->word(is_name_char, "a type");
    std::optional<Kind> kind = kind_of(word);
    if (!kind) {
      at_ = start;
      fail(fmt::format("expected a type, found {}", clipped(word)), word.size());
    }
    switch (hub::kind_row(*kind).form) {
      case hub::Form::Plain:
        if (*kind == Kind::Date32) optional_unit("day");
        if (*kind == Kind::Date64) optional_unit("ms");
        break;
      case hub::Form::FixedSizeBinary:
        return hub::fixed_size_binary(integer_in('[', ']'));
      case hub::Form::Unit: {
        TimeUnit unit = unit_in_brackets();
        return *kind == Kind::Duration ? hub::duration(unit)
               : *kind == Kind::Time32 ? hub::time32(unit)
                                       : hub::time64(unit);
      }
      case hub::Form::Timestamp:
        return timestamp();
      case hub::Form::Decimal:
        return decimal(hub::kind_row(*kind).bits);
      case hub::Form::List: {
        need('<');
        Field item = field(depth + 1);
        need('>');
        return hub::list(std::move(item), *kind);
      }
      case hub::Form::FixedSizeList: {
        need('<');
        Field item = field(depth + 1);
        need('>');
        return hub::fixed_size_list(std::move(item), integer_in('[', ']'));
      }
      case hub::Form::Struct:
        return hub::struct_(fields(depth + 1));
      case hub::Form::Map:
        return map(depth + 1);
      case hub::Form::Union:
        return union_of(*kind, depth + 1);
      case hub::Form::Dictionary:
        return dictionary(depth + 1);
      case hub::Form::RunEndEncoded:
        return run_end_encoded(depth + 1);
    }
    return *kind;
  }

  std::vector<Field> fields(int depth) {
    std::vector<Field> out;
    need('<');
    while (!peek('>')) {
      out.push_back(field(depth));
      if (!take(',')) break;
    }
    need('>');
    return out;
  }

  TimeUnit unit() {
    size_t start = at_;
    std::string word = this->word(is_name_char, "a unit");
    for (TimeUnit unit : {TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano}) {
      if (hub::unit_name(unit) == word) return unit;
    }
    at_ = start;
    fail(fmt::format("expected a unit of s, ms, us or ns, found {}", clipped(word)), word.size());
  }

  TimeUnit unit_in_brackets() {
    need('[');
    TimeUnit out = unit();
    need(']');
    return out;
  }

  void optional_unit(std::string_view only) {
    if (!peek('[') || !text_.substr(at_ + 1).starts_with(only)) return;
    need('[');
    (void)take_word(only);
    need(']');
  }

  Type timestamp() {
    need('[');
    TimeUnit unit = this->unit();
    std::string zone;
    if (take(',')) {
      if (!take_word("tz")) expected("tz");
      need('=');
      zone = peek('"') ? quoted_text() : word(is_zone_char, "a time zone");
    }
    need(']');
    return hub::timestamp(unit, std::move(zone));
  }

  Type decimal(int bits) {
    need('(');
    int precision = integer();
    need(',');
    int scale = integer();
    need(')');
    return hub::decimal(bits, precision, scale);
  }

  Type map(int depth) {
    need('<');
    // `map<entries: …>` shows the whole entries field. A type is never followed by a colon.
    size_t start = at_;
    if (entries_follow()) {
      Field entries = field(depth);
      bool sorted = keys_sorted();
      need('>');
      if (entries.type.kind() != Kind::Struct || entries.type.children().size() != 2) {
        at_ = start;
        fail("expected the entries of a map to be a struct of two fields");
      }
      return hub::map_of_entries(std::move(entries), sorted);
    }
    Field key = field_after_colon("key", depth);
    // Keys are not null by the format, so that it is not written.
    key.nullable = false;
    need(',');
    Field value = field_after_colon("value", depth);
    bool sorted = keys_sorted();
    need('>');
    return hub::map(std::move(key), std::move(value), sorted);
  }

  bool entries_follow() {
    size_t start = at_;
    bool named = peek('"');
    if (named) {
      (void)quoted_text();
    } else {
      (void)word(is_name_char, "a type");
    }
    bool out = named || peek(':');
    at_ = start;
    return out;
  }

  bool keys_sorted() {
    if (!take(',')) return false;
    if (!take_word("keys_sorted")) expected("keys_sorted");
    return true;
  }

  Type union_of(Kind kind, int depth) {
    std::vector<Field> members;
    std::vector<int8_t> codes;
    need('<');
    while (!peek('>')) {
      members.push_back(field(depth));
      int code = static_cast<int>(codes.size());
      size_t start = at_;
      if (take('=')) code = integer();
      if (code < 0 || code > 127) {
        at_ = start;
        fail(fmt::format("expected a type code of 0 to 127, found {}", code));
      }
      codes.push_back(static_cast<int8_t>(code));
      if (!take(',')) break;
    }
    need('>');
    return hub::union_(std::move(members), kind, std::move(codes));
  }

  Type dictionary(int depth) {
    need('<');
    key("values");
    Type values = type(depth);
    need(',');
    key("indices");
    Type indices = type(depth);
    if (!hub::is_integer(indices.kind())) fail("expected an integer type for the indices");
    bool ordered = false;
    if (take(',')) {
      key("ordered");
      ordered = integer() != 0;
    }
    need('>');
    return hub::dictionary(indices.kind(), std::move(values), ordered);
  }

  /// As fields, or as types of the hub are shown: `run_ends=int32, values=double`.
  Type run_end_encoded(int depth) {
    const size_t start = at_;
    need('<');
    if (take_word("run_ends") && take('=')) {
      const Type ends = type(depth);
      need(',');
      key("values");
      Type values = type(depth);
      const bool required = take_word("not");
      if (required && !take_word("null")) expected("null");
      need('>');
      if (!hub::is_signed_integer(ends.kind())) fail("expected an integer type for run_ends");
      return hub::run_end_encoded(ends.kind(), Field("values", std::move(values), !required));
    }
    at_ = start;
    std::vector<Field> parts = fields(depth);
    if (parts.size() != 2 || !hub::is_signed_integer(parts[0].type.kind())) {
      fail("expected run_ends: an integer type, and values: a type");
    }
    return hub::run_end_encoded(parts[0].type.kind(), std::move(parts[1]));
  }

  void key(std::string_view name) {
    if (!take_word(name)) expected(name);
    need('=');
  }

  std::string name() { return peek('"') ? quoted_text() : word(is_name_char, "a name"); }

  template <typename Predicate>
  std::string word(Predicate belongs, std::string_view what) {
    size_t end = at_;
    while (end < text_.size() && belongs(text_[end])) ++end;
    if (end == at_) expected(what);
    std::string out(text_.substr(at_, end - at_));
    at_ = end;
    skip_space();
    return out;
  }

  int integer() {
    int value = 0;
    const char* end = text_.data() + text_.size();
    auto [stop, code] = std::from_chars(text_.data() + at_, end, value);
    if (code != std::errc()) expected("a number");
    at_ = static_cast<size_t>(stop - text_.data());
    skip_space();
    return value;
  }

  int32_t integer_in(char open, char close) {
    need(open);
    size_t start = at_;
    int value = integer();
    if (value < 0) {
      at_ = start;
      fail("expected a size of at least 0");
    }
    need(close);
    return value;
  }

  std::string quoted_text() {
    size_t start = at_;
    if (!peek('"')) expected("text in double quotes");
    ++at_;
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c != '\\') {
        out += c;
        continue;
      }
      if (at_ == text_.size()) break;
      char escape = text_[at_++];
      switch (escape) {
        case 'n':
          out += '\n';
          break;
        case 'r':
          out += '\r';
          break;
        case 't':
          out += '\t';
          break;
        case '"':
        case '\\':
          out += escape;
          break;
        case 'x':
          if (at_ + 2 > text_.size()) expected("two hex digits");
          out += from_hex(text_.substr(at_, 2));
          at_ += 2;
          break;
        default:
          --at_;
          expected("an escape of n, r, t, x, \" or \\");
      }
    }
    if (at_ == text_.size()) {
      at_ = start;
      fail("expected a closing double quote, found the end");
    }
    ++at_;
    skip_space();
    return out;
  }

  bool peek(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) {
    if (!peek(c)) return false;
    ++at_;
    skip_space();
    return true;
  }
  void need(char c) {
    if (!take(c)) expected(fmt::format("'{}'", c));
  }
  bool take_word(std::string_view word) {
    std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(word)) return false;
    if (rest.size() > word.size() && is_name_char(rest[word.size()])) return false;
    at_ += word.size();
    skip_space();
    return true;
  }

  /// Skips white space, and remembers whether a line ended in it: at the top, that ends a field.
  void skip_space() {
    line_broken_ = false;
    for (; at_ < text_.size(); ++at_) {
      char c = text_[at_];
      if (c == '\n') line_broken_ = true;
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    }
  }

  [[noreturn]] void expected(std::string_view what) const {
    size_t end = at_;
    while (end < text_.size() && is_word_char(text_[end])) ++end;
    if (end == at_ && at_ < text_.size()) ++end;
    fail(fmt::format("expected {}, found {}", what,
                     at_ == text_.size() ? "the end" : clipped(text_.substr(at_, end - at_))),
         std::max<size_t>(1, end - at_));
  }

  [[noreturn]] void fail(std::string message, size_t length = 1) const {
    throw Error(ErrorCode::Input, std::move(message), place_in_text(text_, at_, length));
  }

  std::string_view text_;
  size_t at_ = 0;
  bool line_broken_ = false;
};

}  // namespace

std::string print_type(const Type& type) {
  std::string_view name = hub::kind_name(type.kind());
  switch (hub::kind_row(type.kind()).form) {
    case hub::Form::Plain:
    case hub::Form::FixedSizeBinary:
    case hub::Form::Unit:
    case hub::Form::Decimal:
      break;
    case hub::Form::Timestamp:
      if (type.zone().empty()) break;
      return fmt::format("timestamp[{}, tz={}]", hub::unit_name(type.unit()),
                         printed(type.zone(), is_zone_char));
    case hub::Form::List:
    case hub::Form::Struct:
    case hub::Form::RunEndEncoded:
      return fmt::format("{}<{}>", name, print_fields(type.children()));
    case hub::Form::FixedSizeList:
      return fmt::format("{}<{}>[{}]", name, print_fields(type.children()), type.size());
    case hub::Form::Map: {
      std::string_view sorted = type.flag() ? ", keys_sorted" : "";
      if (!is_usual_map(type)) return fmt::format("map<{}{}>", print_field(type.child()), sorted);
      return fmt::format("map<{}, {}{}{}>", print_type(type.key().type),
                         print_type(type.value().type), type.value().nullable ? "" : " not null",
                         sorted);
    }
    case hub::Form::Union: {
      std::vector<std::string> members;
      for (size_t i = 0; i < type.children().size(); ++i) {
        members.push_back(fmt::format("{}={}", print_field(type.child(i)),
                                      static_cast<int>(type.type_codes()[i])));
      }
      return fmt::format("{}<{}>", name, join(members, ", "));
    }
    case hub::Form::Dictionary:
      return fmt::format("dictionary<values={}, indices={}, ordered={:d}>",
                         print_type(type.child().type), hub::kind_name(type.index_kind()),
                         type.flag());
  }
  return hub::to_string(type);
}

std::string print_field(const Field& field) {
  std::string out = is_plain_name(field.name) ? field.name : quoted(field.name);
  out += ": " + print_type(field.type);
  if (!field.nullable) out += " not null";
  if (!field.extension_name().empty()) {
    out += " [" + printed(field.extension_name(), is_word_char);
    if (!field.extension_metadata().empty()) out += " " + quoted(field.extension_metadata());
    out += ']';
  }
  std::string metadata =
      print_metadata(field.metadata, /*skip_extension=*/!field.extension_name().empty());
  return metadata.empty() ? out : out + " " + metadata;
}

std::string print_schema(const hub::Schema& schema) {
  std::string out;
  for (const Field& field : schema.fields) out += print_field(field) + "\n";
  if (!schema.metadata.empty()) {
    out += "metadata " + print_metadata(schema.metadata, /*skip_extension=*/false) + "\n";
  }
  return out;
}

hub::Schema parse_schema(std::string_view text) { return Parser(text).schema(); }
Type parse_type(std::string_view text) { return Parser(text).whole_type(); }

hub::Schema parse_base64_schema(std::string_view text) {
  return read_ipc_schema(from_base64(text));
}

std::string print_base64_schema(const hub::Schema& schema) {
  return to_base64(write_ipc_schema(schema));
}

}  // namespace xwalk::arrow
