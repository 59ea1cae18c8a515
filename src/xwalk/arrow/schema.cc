#include "xwalk/arrow/schema.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/arrow/ipc_schema.h"
#include "xwalk/base/base64.h"
#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
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

/// Returns the kind of a name, also of one in capitals, as SQL writes it.
std::optional<Kind> kind_of(std::string_view word) {
  std::string lower;
  if (std::ranges::none_of(word, [](char c) { return c >= 'a' && c <= 'z'; })) {
    for (const char c : word) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
    word = lower;
  }
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
  explicit Parser(std::string_view text) : cursor_(text) {}

  hub::Schema schema() {
    hub::Schema out;
    while (!cursor_.at_end()) {
      const bool quotes = cursor_.peek('"');
      std::string name = this->name();
      if (name == "metadata" && !quotes && cursor_.peek('{')) {
        out.metadata = metadata();
      } else {
        out.fields.push_back(rest_of_field(std::move(name), 0));
      }
      const bool separated = cursor_.take(',') || cursor_.at_end() || cursor_.at_line_start();
      if (!separated) cursor_.expected("a line break or a comma");
    }
    return out;
  }

  Type whole_type() {
    Type out = type(0);
    cursor_.expect_end();
    return out;
  }

 private:
  Field field(int depth) {
    std::string name = this->name();
    return rest_of_field(std::move(name), depth);
  }

  /// Parses the text after a field's name.
  Field rest_of_field(std::string name, int depth) {
    cursor_.expect(':');
    return field_after_colon(std::move(name), depth);
  }

  Field field_after_colon(std::string name, int depth) {
    std::optional<std::string> canonical = canonical_extension();
    Field out(std::move(name), canonical ? storage_of(*canonical) : type(depth));
    if (canonical) out = hub::with_extension(std::move(out), *canonical);
    out.nullable = !not_null();
    if (cursor_.take('[')) {
      std::string extension =
          cursor_.peek('"') ? quoted_text() : word(is_word_char, "an extension name");
      std::string parameters = cursor_.peek('"') ? quoted_text() : "";
      cursor_.expect(']');
      out = hub::with_extension(std::move(out), extension, parameters);
    }
    if (cursor_.peek('{')) {
      for (const auto& [key, value] : metadata()) out.metadata.append(key, value);
    }
    return out;
  }

  /// Takes `extension<arrow.uuid>`, as pyarrow shows the extensions that it knows.
  std::optional<std::string> canonical_extension() {
    if (!cursor_.take("extension<")) return std::nullopt;
    std::string name = word(is_word_char, "an extension name");
    cursor_.expect('>');
    return name;
  }

  Type storage_of(const std::string& extension) {
    if (extension == hub::kUuidExtension) return hub::fixed_size_binary(16);
    if (extension == hub::kJsonExtension) return Kind::Utf8;
    if (extension == hub::kBool8Extension) return Kind::Int8;
    fail(cursor_.start(),
         fmt::format("the storage of extension {} is not known; write the storage type and [{}]",
                     extension, extension));
  }

  bool not_null() {
    const size_t start = cursor_.start();
    if (take_word("not") && take_word("null")) return true;
    cursor_.move_to(start);
    return false;
  }

  Metadata metadata() {
    Metadata out;
    cursor_.expect('{');
    while (!cursor_.peek('}')) {
      std::string key = quoted_text();
      cursor_.expect(':');
      out.append(std::move(key), quoted_text());
      if (!cursor_.take(',')) break;
    }
    cursor_.expect('}');
    return out;
  }

  Type type(int depth) {
    cursor_.check_depth(depth);
    const size_t start = cursor_.start();
    const std::optional<Kind> kind = kind_of(cursor_.word(is_name_char, "a type"));
    if (!kind) cursor_.expected_at(start, "a type");
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
        cursor_.expect('<');
        Field item = this->item(depth + 1);
        cursor_.expect('>');
        return hub::list(std::move(item), *kind);
      }
      case hub::Form::FixedSizeList: {
        cursor_.expect('<');
        Field item = this->item(depth + 1);
        cursor_.expect('>');
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
    cursor_.expect('<');
    while (!cursor_.peek('>')) {
      out.push_back(field(depth));
      if (!cursor_.take(',')) break;
    }
    cursor_.expect('>');
    return out;
  }

  TimeUnit unit() {
    const size_t start = cursor_.start();
    const std::string_view word = cursor_.word(is_name_char, "a unit");
    for (TimeUnit unit : {TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano}) {
      if (hub::unit_name(unit) == word) return unit;
    }
    cursor_.expected_at(start, "a unit of s, ms, us or ns");
  }

  TimeUnit unit_in_brackets() {
    cursor_.expect('[');
    TimeUnit out = unit();
    cursor_.expect(']');
    return out;
  }

  void optional_unit(std::string_view only) {
    if (!cursor_.peek('[') || !cursor_.rest().substr(1).starts_with(only)) return;
    cursor_.expect('[');
    (void)take_word(only);
    cursor_.expect(']');
  }

  Type timestamp() {
    cursor_.expect('[');
    TimeUnit unit = this->unit();
    std::string zone;
    if (cursor_.take(',')) {
      if (!take_word("tz")) cursor_.expected("tz");
      cursor_.expect('=');
      zone = cursor_.peek('"') ? quoted_text() : word(is_zone_char, "a time zone");
    }
    cursor_.expect(']');
    return hub::timestamp(unit, std::move(zone));
  }

  Type decimal(int bits) {
    cursor_.expect('(');
    int precision = integer();
    cursor_.expect(',');
    int scale = integer();
    cursor_.expect(')');
    return hub::decimal(bits, precision, scale);
  }

  Type map(int depth) {
    cursor_.expect('<');
    // `map<entries: …>` shows the whole entries field.
    const size_t start = cursor_.start();
    if (name_follows()) {
      Field entries = field(depth);
      bool sorted = keys_sorted();
      cursor_.expect('>');
      if (entries.type.kind() != Kind::Struct || entries.type.children().size() != 2) {
        fail(start, "expected the entries of a map to be a struct of two fields");
      }
      return hub::map_of_entries(std::move(entries), sorted);
    }
    Field key = field_after_colon("key", depth);
    // Keys are not null by the format, so that it is not written.
    key.nullable = false;
    cursor_.expect(',');
    Field value = field_after_colon("value", depth);
    bool sorted = keys_sorted();
    cursor_.expect('>');
    return hub::map(std::move(key), std::move(value), sorted);
  }

  /// Parses the items of a list, with a name or without.
  Field item(int depth) { return name_follows() ? field(depth) : field_after_colon("item", depth); }

  /// Returns true before a name and a colon, which never follows a type.
  bool name_follows() {
    const size_t start = cursor_.start();
    if (cursor_.peek('"')) return true;
    (void)cursor_.word(is_name_char, "a type");
    const bool out = cursor_.peek(':');
    cursor_.move_to(start);
    return out;
  }

  bool keys_sorted() {
    if (!cursor_.take(',')) return false;
    if (!take_word("keys_sorted")) cursor_.expected("keys_sorted");
    return true;
  }

  Type union_of(Kind kind, int depth) {
    std::vector<Field> members;
    std::vector<int8_t> codes;
    cursor_.expect('<');
    while (!cursor_.peek('>')) {
      members.push_back(field(depth));
      int code = static_cast<int>(codes.size());
      if (cursor_.take('='))
        code = static_cast<int>(cursor_.integer(0, 127, "a type code of 0 to 127"));
      if (code > 127) cursor_.expected("at most 128 members of a union");
      codes.push_back(static_cast<int8_t>(code));
      if (!cursor_.take(',')) break;
    }
    cursor_.expect('>');
    return hub::union_(std::move(members), kind, std::move(codes));
  }

  Type dictionary(int depth) {
    cursor_.expect('<');
    key("values");
    Type values = type(depth);
    cursor_.expect(',');
    key("indices");
    Type indices = type(depth);
    if (!hub::is_integer(indices.kind())) {
      fail(cursor_.start(), "expected an integer type for the indices");
    }
    bool ordered = false;
    if (cursor_.take(',')) {
      key("ordered");
      ordered = integer() != 0;
    }
    cursor_.expect('>');
    return hub::dictionary(indices.kind(), std::move(values), ordered);
  }

  /// As fields, or as types of the hub are shown: `run_ends=int32, values=double`.
  Type run_end_encoded(int depth) {
    const size_t start = cursor_.start();
    cursor_.expect('<');
    if (take_word("run_ends") && cursor_.take('=')) {
      const Type ends = type(depth);
      cursor_.expect(',');
      key("values");
      Type values = type(depth);
      const bool required = take_word("not");
      if (required && !take_word("null")) cursor_.expected("null");
      cursor_.expect('>');
      if (!hub::is_signed_integer(ends.kind())) {
        fail(cursor_.start(), "expected an integer type for run_ends");
      }
      return hub::run_end_encoded(ends.kind(), Field("values", std::move(values), !required));
    }
    cursor_.move_to(start);
    std::vector<Field> parts = fields(depth);
    if (parts.size() != 2 || !hub::is_signed_integer(parts[0].type.kind())) {
      fail(start, "expected run_ends: an integer type, and values: a type");
    }
    return hub::run_end_encoded(parts[0].type.kind(), std::move(parts[1]));
  }

  void key(std::string_view name) {
    if (!take_word(name)) cursor_.expected(name);
    cursor_.expect('=');
  }

  std::string name() { return cursor_.peek('"') ? quoted_text() : word(is_name_char, "a name"); }

  template <typename Predicate>
  std::string word(Predicate belongs, std::string_view what) {
    return std::string(cursor_.word(belongs, what));
  }

  int integer() { return static_cast<int>(cursor_.integer(INT32_MIN, INT32_MAX, "a number")); }

  int32_t integer_in(char open, char close) {
    cursor_.expect(open);
    const auto value = static_cast<int32_t>(cursor_.integer(0, INT32_MAX, "a size of at least 0"));
    cursor_.expect(close);
    return value;
  }

  std::string quoted_text() {
    if (!cursor_.peek('"')) cursor_.expected("text in double quotes");
    return cursor_.quoted_text("nrt\"\\x");
  }

  bool take_word(std::string_view word) {
    const size_t start = cursor_.start();
    if (cursor_.take_while(is_name_char) == word) return true;
    cursor_.move_to(start);
    return false;
  }

  [[noreturn]] void fail(size_t at, std::string message) const {
    cursor_.fail(at, 1, std::move(message));
  }

  TextCursor cursor_;
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
