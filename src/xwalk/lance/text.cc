#include "xwalk/lance/text.h"

// The text form of the specification's examples, flat and nested.

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/lance/written.h"

namespace xwalk::lance {
namespace {

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> kKeys = {"id",
                                                 "name",
                                                 "type",
                                                 "logical_type",
                                                 "nullable",
                                                 "parent_id",
                                                 "metadata",
                                                 "children",
                                                 "unenforced_primary_key",
                                                 "unenforced_primary_key_position",
                                                 "unenforced_clustering_key_position",
                                                 "encoding",
                                                 "dictionary",
                                                 "extension_name",
                                                 "unknown_fields"};
  return kKeys;
}

class TextParser {
 public:
  explicit TextParser(std::string_view text) : text_(text) {}

  FlatSchema parse() {
    std::vector<WrittenField> fields;
    hub::Metadata metadata;
    for (separator(); at_ < text_.size(); separator()) {
      size_t start = at_;
      std::string_view word = identifier("Field or metadata");
      if (word == "Field") {
        fields.push_back(field(0));
      } else if (word == "metadata") {
        take(':');
        entry(&metadata);
      } else {
        fail(start, word.size(), "expected Field or metadata, found " + clipped(word));
      }
    }
    return assemble(std::move(fields), std::move(metadata),
                    [&](size_t at, const std::string& message) { fail(at, 1, message); });
  }

 private:
  [[noreturn]] void fail(size_t at, size_t length, const std::string& message,
                         std::string hint = {}) const {
    throw Error(ErrorCode::Input, message, place_in_text(text_, at, length), std::move(hint));
  }
  [[noreturn]] void expected(std::string_view what) const {
    if (at_ >= text_.size()) fail(at_, 1, fmt::format("expected {}, found the end", what));
    size_t end = at_ + 1;
    while (end < text_.size() && is_word(text_[end - 1]) && is_word(text_[end])) ++end;
    fail(at_, end - at_,
         fmt::format("expected {}, found {}", what, clipped(text_.substr(at_, end - at_))));
  }

  static bool is_word(char c) { return is_ascii_alnum(c) || c == '_' || c == '-' || c == '+'; }

  void space() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else if (c == '#' || text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }
  /// Skips space and optional commas or semicolons between entries.
  void separator() {
    for (space(); at_ < text_.size() && (text_[at_] == ',' || text_[at_] == ';'); space()) ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) expected(fmt::format("'{}'", c));
  }

  std::string_view identifier(std::string_view what) {
    space();
    size_t start = at_;
    while (at_ < text_.size() && (is_ascii_alnum(text_[at_]) || text_[at_] == '_')) ++at_;
    if (at_ == start || is_ascii_digit(text_[start])) {
      at_ = start;
      expected(what);
    }
    return text_.substr(start, at_ - start);
  }

  template <typename Number>
  Number number(std::string_view what) {
    space();
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    Number value = 0;
    auto [rest, error] = std::from_chars(text_.data() + at_, text_.data() + end, value);
    if (error != std::errc() || rest != text_.data() + end || end == at_) expected(what);
    at_ = end;
    return value;
  }

  bool boolean() {
    space();
    size_t start = at_;
    std::string_view word = identifier("true or false");
    if (word == "true") return true;
    if (word == "false") return false;
    at_ = start;
    expected("true or false");
  }

  std::string string(std::string_view what) {
    space();
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) expected(what);
    size_t start = at_;
    char quote = text_[at_++];
    std::string out;
    for (;;) {
      if (at_ >= text_.size() || text_[at_] == '\n') {
        fail(start, 1, "expected the end of the text in quotes on its line, found none");
      }
      char c = text_[at_++];
      if (c == quote) return out;
      if (c != '\\') {
        out += c;
        continue;
      }
      out += escape();
    }
  }

  char escape() {
    char c = at_ < text_.size() ? text_[at_++] : '\0';
    switch (c) {
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case '"':
      case '\'':
      case '\\':
        return c;
      case 'x': {
        unsigned value = 0;
        std::string_view digits = text_.substr(at_, 2);
        auto [rest, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        if (digits.size() == 2 && error == std::errc() && rest == digits.data() + 2) {
          at_ += 2;
          return static_cast<char>(value);
        }
        break;
      }
      default:
        break;
    }
    fail(at_ - 1, 1, "expected an escape of \\n \\r \\t \\\" \\' \\\\ \\xHH, found another");
  }

  /// `{ key: "k" value: "v" }`
  void entry(hub::Metadata* metadata) {
    expect('{');
    std::optional<std::string> key, value;
    for (separator(); !take('}'); separator()) {
      space();
      size_t start = at_;
      std::string_view word = identifier("key or value");
      take(':');
      if (word == "key" && !key) {
        key = string("a key in quotes");
      } else if (word == "value" && !value) {
        value = string("a value in quotes");
      } else {
        fail(start, word.size(), "expected key and value once each, found " + clipped(word));
      }
    }
    if (!key) fail(at_ - 1, 1, "expected a key in the metadata entry, found none");
    metadata->set(*key, value.value_or(""));
  }

  void logical_type(Field* field) {
    space();
    size_t start = at_;
    std::string text = string("a logical type in quotes");
    try {
      set_logical_type(text, field);
    } catch (const Error& error) {
      fail(start, at_ - start, error.message());
    }
  }

  WrittenField field(int depth) {
    if (depth > limits::kSchemaDepth) {
      fail(at_, 1, fmt::format("expected at most {} nested fields", limits::kSchemaDepth));
    }
    WrittenField out;
    space();
    out.at = at_;
    expect('{');
    std::set<std::string_view> seen;
    std::string_view kind;
    size_t kind_at = 0;
    for (separator(); !take('}'); separator()) {
      space();
      size_t start = at_;
      std::string_view key = identifier("the name of a property or '}'");
      if (key != "metadata" && !seen.insert(key).second) {
        fail(start, key.size(), fmt::format("expected {} once, found it twice", key));
      }
      take(':');
      if (key == "type") {
        space();
        kind_at = at_;
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
          // The nested examples write the logical type here.
          if (!seen.insert("logical_type").second) {
            fail(start, key.size(), "expected one logical type, found two");
          }
          logical_type(&out.field);
        } else {
          kind = identifier("PARENT, REPEATED, LEAF or a logical type in quotes");
        }
        continue;
      }
      property(key, start, depth, &out);
    }
    if (!seen.contains("logical_type")) {
      fail(out.at, 1, "expected a logical type in the field, found none");
    }
    if (!kind.empty() && kind != node_kind(out.field.type)) {
      fail(kind_at, kind.size(),
           fmt::format("expected {} for the type {}, found {}", node_kind(out.field.type),
                       print_logical_type(out.field.type), clipped(kind)));
    }
    return out;
  }

  void property(std::string_view key, size_t start, int depth, WrittenField* out) {
    Field& field = out->field;
    if (key == "id") {
      out->id = number<int32_t>("an id of 32 bits");
    } else if (key == "parent_id") {
      out->parent = number<int32_t>("an id of 32 bits");
    } else if (key == "name") {
      field.name = string("a name in quotes");
    } else if (key == "logical_type") {
      logical_type(&field);
    } else if (key == "nullable") {
      field.nullable = boolean();
    } else if (key == "metadata") {
      entry(&field.metadata);
    } else if (key == "unenforced_primary_key") {
      field.primary_key = boolean() || field.primary_key_position > 0;
    } else if (key == "unenforced_primary_key_position") {
      field.primary_key_position = number<uint32_t>("a position");
      field.primary_key |= field.primary_key_position > 0;
    } else if (key == "unenforced_clustering_key_position") {
      field.clustering_key_position = number<uint32_t>("a position");
    } else if (key == "encoding") {
      encoding(out);
    } else if (key == "dictionary") {
      field.dictionary = string("bytes in quotes");
    } else if (key == "unknown_fields") {
      field.unknown = string("bytes in quotes");
    } else if (key == "extension_name") {
      field.metadata.set(hub::kExtensionName, string("a name in quotes"));
    } else if (key == "children") {
      children(depth, out);
    } else {
      fail(start, key.size(), "expected a property of a field, found " + clipped(key),
           did_you_mean(key, known_keys()));
    }
  }

  void encoding(WrittenField* out) {
    space();
    if (at_ < text_.size() && is_ascii_digit(text_[at_])) {
      out->encoding = static_cast<Encoding>(number<uint8_t>("an encoding"));
      return;
    }
    size_t start = at_;
    out->encoding = encoding_of_word(identifier("an encoding"));
    if (!out->encoding) {
      at_ = start;
      expected("an encoding of NONE, PLAIN, VAR_BINARY, DICTIONARY, RLE");
    }
  }

  void children(int depth, WrittenField* out) {
    expect('[');
    for (separator(); !take(']'); separator()) {
      space();
      size_t start = at_;
      std::string_view word = identifier("Field or ']'");
      if (word != "Field") fail(start, word.size(), "expected Field, found " + clipped(word));
      out->children.push_back(field(depth + 1));
    }
  }

  std::string_view text_;
  size_t at_ = 0;
};

void print_entry(std::string_view indent, const std::pair<std::string, std::string>& entry,
                 std::string* out) {
  *out += fmt::format("{}metadata {{ key: {} value: {} }}\n", indent, quoted(entry.first),
                      quoted(entry.second));
}

void print_field(const FlatField& flat, std::string* out) {
  const Field& field = flat.field;
  auto append = [&](std::string_view key, const auto& value) {
    *out += fmt::format("    {}: {}\n", key, value);
  };
  *out += "Field {\n";
  append("id", field.id);
  append("name", quoted(field.name));
  append("type", node_kind(field.type));
  append("logical_type",
         quoted(field.spelling.empty() ? print_logical_type(field.type) : field.spelling));
  append("nullable", field.nullable);
  append("parent_id", flat.parent);
  if (field.primary_key) append("unenforced_primary_key", true);
  if (field.primary_key_position > 0) {
    append("unenforced_primary_key_position", field.primary_key_position);
  }
  if (field.clustering_key_position > 0) {
    append("unenforced_clustering_key_position", field.clustering_key_position);
  }
  for (const auto& entry : field.metadata) print_entry("    ", entry, out);
  if (field.encoding != default_encoding(field.type)) {
    std::string_view word = encoding_word(field.encoding);
    append("encoding",
           word.empty() ? std::to_string(static_cast<int>(field.encoding)) : std::string(word));
  }
  if (field.dictionary) append("dictionary", quoted(*field.dictionary));
  if (!field.unknown.empty()) append("unknown_fields", quoted(field.unknown));
  *out += "}\n";
}

}  // namespace

FlatSchema parse_flat_text(std::string_view text) {
  check_schema_size(text.size());
  return TextParser(text).parse();
}

Schema parse_text(std::string_view text) { return nest(parse_flat_text(text)); }

std::string print_text(const Schema& schema) {
  std::string out;
  for (const FlatField& field : flatten(schema).fields) print_field(field, &out);
  for (const auto& entry : schema.metadata) print_entry("", entry, &out);
  return out;
}

}  // namespace xwalk::lance
