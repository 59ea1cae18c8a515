#include "xwalk/lance/text.h"

// The text form of the specification's examples, flat and nested.

#include <set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/base/text_cursor.h"
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

bool is_name_char(char c) { return is_ascii_alnum(c) || c == '_'; }

class TextParser {
 public:
  explicit TextParser(std::string_view text) : cursor_(text, TextCursor::Comments::Yes) {}

  FlatSchema parse() {
    std::vector<WrittenField> fields;
    hub::Metadata metadata;
    for (separators(); !cursor_.at_end(); separators()) {
      const size_t start = cursor_.at();
      std::string_view word = identifier("Field or metadata");
      if (word == "Field") {
        fields.push_back(field(0));
      } else if (word == "metadata") {
        cursor_.take(':');
        entry(&metadata);
      } else {
        cursor_.expected_at(start, "Field or metadata");
      }
    }
    return assemble(std::move(fields), std::move(metadata),
                    [&](size_t at, const std::string& text) { cursor_.fail(at, 1, text); });
  }

 private:
  /// Skips the optional commas and semicolons between entries.
  void separators() {
    while (cursor_.take(',') || cursor_.take(';')) {
    }
  }

  std::string_view identifier(std::string_view what) {
    if (!cursor_.at_end() && is_ascii_digit(cursor_.rest()[0])) cursor_.expected(what);
    return cursor_.word(is_name_char, what);
  }

  template <typename Number>
  Number number(std::string_view what) {
    constexpr int64_t kLow = std::numeric_limits<Number>::min();
    constexpr int64_t kHigh = std::numeric_limits<Number>::max();
    return static_cast<Number>(cursor_.integer(kLow, kHigh, what));
  }

  bool boolean() {
    const size_t start = cursor_.start();
    std::string_view word = identifier("true or false");
    if (word != "true" && word != "false") cursor_.expected_at(start, "true or false");
    return word == "true";
  }

  bool at_quote() { return cursor_.peek('"') || cursor_.peek('\''); }

  std::string string(std::string_view what) {
    if (!at_quote()) cursor_.expected(what);
    const size_t start = cursor_.at();
    const size_t line_end = std::min(cursor_.rest().find('\n'), cursor_.rest().size());
    std::string out = cursor_.quoted_text("nrt\"'\\x");
    if (cursor_.at() > start + line_end) {
      cursor_.fail(start, 1, "expected a closing quote on the same line, found none");
    }
    return out;
  }

  /// `{ key: "k" value: "v" }`
  void entry(hub::Metadata* metadata) {
    cursor_.expect('{');
    std::optional<std::string> key, value;
    for (separators(); !cursor_.take('}'); separators()) {
      const size_t start = cursor_.start();
      std::string_view word = identifier("key or value");
      cursor_.take(':');
      if (word == "key" && !key) {
        key = string("a key in quotes");
      } else if (word == "value" && !value) {
        value = string("a value in quotes");
      } else {
        cursor_.expected_at(start, "key and value once each");
      }
    }
    if (!key) {
      cursor_.fail(cursor_.at() - 1, 1, "expected a key in the metadata entry, found none");
    }
    metadata->set(*key, value.value_or(""));
  }

  void logical_type(Field* field) {
    const size_t start = cursor_.start();
    std::string text = string("a logical type in quotes");
    try {
      set_logical_type(text, field);
    } catch (const Error& error) {
      cursor_.fail(start, cursor_.at() - start, error.message());
    }
  }

  WrittenField field(int depth) {
    cursor_.check_depth(depth);
    WrittenField out;
    out.at = cursor_.start();
    cursor_.expect('{');
    std::set<std::string_view> seen;
    std::string_view kind;
    size_t kind_at = 0;
    for (separators(); !cursor_.take('}'); separators()) {
      const size_t start = cursor_.start();
      std::string_view key = identifier("the name of a property or '}'");
      if (key != "metadata" && !seen.insert(key).second) {
        cursor_.fail(start, key.size(), fmt::format("expected {} once, found it twice", key));
      }
      cursor_.take(':');
      if (key == "type" && !at_quote()) {
        kind_at = cursor_.at();
        kind = identifier("PARENT, REPEATED, LEAF or a logical type in quotes");
      } else if (key == "type") {
        // The nested examples write the logical type here.
        if (!seen.insert("logical_type").second) {
          cursor_.fail(start, key.size(), "expected one logical type, found two");
        }
        logical_type(&out.field);
      } else {
        property(key, start, depth, &out);
      }
    }
    if (!seen.contains("logical_type")) {
      cursor_.fail(out.at, 1, "expected a logical type in the field, found none");
    }
    if (!kind.empty() && kind != node_kind(out.field.type)) {
      cursor_.expected_at(kind_at, fmt::format("{} for the type {}", node_kind(out.field.type),
                                               print_logical_type(out.field.type)));
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
      cursor_.expected_at(start, "a property of a field", did_you_mean(key, known_keys()));
    }
  }

  void encoding(WrittenField* out) {
    if (!cursor_.at_end() && is_ascii_digit(cursor_.rest()[0])) {
      out->encoding = static_cast<Encoding>(number<uint8_t>("an encoding"));
      return;
    }
    const size_t start = cursor_.at();
    out->encoding = encoding_of_word(identifier("an encoding"));
    if (!out->encoding) {
      cursor_.expected_at(start, "an encoding of NONE, PLAIN, VAR_BINARY, DICTIONARY, RLE");
    }
  }

  void children(int depth, WrittenField* out) {
    cursor_.expect('[');
    for (separators(); !cursor_.take(']'); separators()) {
      const size_t start = cursor_.start();
      if (identifier("Field or ']'") != "Field") cursor_.expected_at(start, "Field");
      out->children.push_back(field(depth + 1));
    }
  }

  TextCursor cursor_;
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
