#include "xwalk/yt/forms.h"

// Written forms of types and tables as text: which form a text is in, and printing in each.

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/schema_memory.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/json.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/row_spec.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/short_notation.h"

namespace xwalk::yt {
namespace {

using yson::Node;

constexpr std::string_view kSpace = " \t\r\n";

enum class TextForm : uint8_t { Yson, Json, ShortType, ShortTable };

size_t skip_space(std::string_view text, size_t i) {
  size_t end = text.find_first_not_of(kSpace, i);
  return end == std::string_view::npos ? text.size() : end;
}

/// Returns the end of a quoted string that begins at `i`.
size_t skip_quoted(std::string_view text, size_t i) {
  char quote = text[i];
  for (++i; i < text.size() && text[i] != quote; ++i) {
    if (text[i] == '\\') ++i;
  }
  return std::min(i + 1, text.size());
}

/// Returns the end of the attributes `<…>` that begin at `i`.
size_t skip_attributes(std::string_view text, size_t i) {
  int open = 0;
  while (i < text.size()) {
    if (text[i] == '"') {
      i = skip_quoted(text, i);
      continue;
    }
    if (text[i] == '<') ++open;
    if (text[i] == '>' && --open == 0) return i + 1;
    ++i;
  }
  return i;
}

/// Returns true if there is a name and a colon at `i`: the beginning of a column in short form.
bool is_short_column(std::string_view text, size_t i) {
  if (i >= text.size()) return false;
  if (text[i] == '\'' || text[i] == '"') {
    i = skip_quoted(text, i);
  } else {
    size_t begin = i;
    while (i < text.size() && (is_ascii_alnum(text[i]) || text[i] == '_')) ++i;
    if (i == begin) return false;
  }
  i = skip_space(text, i);
  return i < text.size() && text[i] == ':';
}

/// Returns true if the text begins like JSON and not like YSON: a colon follows the first key.
bool looks_like_json(std::string_view text) {
  size_t i = skip_space(text, 0);
  if (i >= text.size() || (text[i] != '{' && text[i] != '[')) return false;
  while (i < text.size() && (text[i] == '{' || text[i] == '[')) i = skip_space(text, i + 1);
  if (i >= text.size() || text[i] != '"') return false;
  i = skip_space(text, skip_quoted(text, i));
  return i < text.size() && text[i] == ':';
}

TextForm form_of(std::string_view text) {
  size_t i = skip_space(text, 0);
  if (i >= text.size()) return TextForm::Yson;
  char c = text[i];
  if (looks_like_json(text)) return TextForm::Json;
  if (c == '<') {
    i = skip_space(text, skip_attributes(text, i));
    return i < text.size() && is_short_column(text, i) ? TextForm::ShortTable : TextForm::Yson;
  }
  if (is_short_column(text, i)) return TextForm::ShortTable;
  if (c >= 'A' && c <= 'Z') return TextForm::ShortType;
  // A word with arguments is no YSON, but a type whose name has no capital: its parser says so.
  size_t end = i;
  while (end < text.size() && (is_ascii_alnum(text[end]) || text[end] == '_')) ++end;
  const bool takes = end > i && end < text.size() && (text[end] == '<' || text[end] == '(');
  return takes ? TextForm::ShortType : TextForm::Yson;
}

/// Nodes of JSON carry no offsets: an error in one has no place.
template <typename Call>
auto without_place(const Call& call) {
  try {
    return call();
  } catch (Error& error) {
    error.place().byte.reset();
    throw;
  }
}

void check_size(std::string_view text) { check_schema_size(text.size()); }

/// Replaces `type_v3=` before a type, and the `;` after it, by spaces, so that positions stay the
/// same. The specification writes types this way.
std::string without_type_key(std::string_view text) {
  std::string out(text);
  constexpr std::string_view kKey = "type_v3";
  const size_t key = skip_space(text, 0);
  if (!text.substr(key).starts_with(kKey)) return out;
  const size_t equals = skip_space(text, key + kKey.size());
  if (equals >= text.size() || text[equals] != '=') return out;
  const auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) out[i] = out[i] == '\n' ? '\n' : ' ';
  };
  blank(key, equals + 1);
  const size_t last = out.find_last_not_of(kSpace);
  if (last != std::string::npos && out[last] == ';') out[last] = ' ';
  return out;
}

bool is_type_node(const Node& node) {
  return node.is(Node::Kind::String) ||
         (node.is(Node::Kind::Map) && node.find("type_name") != nullptr);
}

TableSchema table_of(const Node& node) {
  if (is_row_spec(node)) return parse_row_spec(node);
  if (is_table_attributes(node)) return parse_table_attributes(node);
  TableSchema schema;
  if (is_type_node(node)) {
    schema.columns.emplace_back("value", parse_type(node));
  } else if (node.is(Node::Kind::Map)) {
    schema.columns.push_back(parse_column_schema(node));
  } else {
    schema = parse_table_schema(node);
  }
  return schema;
}

/// Reads `<…>` and then one column per line: name, colon, type, and the other attributes as a map.
TableSchema parse_short_table(std::string_view text) {
  TableSchema schema;
  size_t i = skip_space(text, 0);
  if (text[i] == '<') {
    size_t end = skip_attributes(text, i);
    std::string list = std::string(text.substr(0, end)) + "[]";
    schema = yson::with_place(list, [&] { return parse_table_schema(yson::parse(list)); });
    i = end;
  }
  TextCursor cursor(text);
  cursor.move_to(i);
  ShortParser parser(&cursor);
  while (!cursor.at_end()) {
    std::string name = parser.name();
    cursor.expect(':');
    ColumnSchema column(name, parser.type(0));
    if (cursor.peek('{')) {
      size_t begin = cursor.at();
      size_t end = begin;
      int open = 0;
      do {
        if (text[end] == '{') ++open;
        if (text[end] == '}') --open;
        end = text[end] == '"' ? skip_quoted(text, end) : end + 1;
      } while (open > 0 && end < text.size());
      end = std::min(end, text.size());
      std::string_view map = text.substr(begin, end - begin);
      yson::with_place(map, [&] {
        set_column_attributes(&column, yson::parse(map));
        return 0;
      });
      cursor.move_to(end);
    }
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

std::string print_short_table(const TableSchema& schema) {
  std::string out;
  TableSchema plain;
  if (attributes_node(schema) != attributes_node(plain)) {
    std::string list = yson::print(attributes_node(schema));
    out += list.substr(0, list.size() - 2) + "\n";
  }
  for (const ColumnSchema& column : schema.columns) {
    out += fmt::format("{}: {}", short_quoted(column.name), print_short(column.type));
    Node attributes = column_attributes_node(column);
    if (!attributes.as_map().empty()) out += " " + yson::print(attributes);
    out += '\n';
  }
  return out;
}

std::string print_commands(const TableSchema& schema) {
  Node attributes = Node::map();
  attributes.add("schema", to_node(schema));
  return fmt::format(
      "yt create table //path/to/table --attributes {}\n"
      "yt write-table //path/to/table --format '<format=binary>yson' < rows.yson\n",
      shell_quoted(yson::print(attributes)));
}

std::string print_node(const Node& node, SchemaForm form) {
  switch (form) {
    case SchemaForm::YsonBinary:
      return yson::print(node, yson::Format::Binary);
    case SchemaForm::Json:
      return yson::to_json(node, {.indent = 2}) + "\n";
    case SchemaForm::Yson:
    case SchemaForm::Short:
    case SchemaForm::RowSpec:
    case SchemaForm::Commands:
      break;
  }
  return yson::print(node, yson::Format::Pretty) + "\n";
}

}  // namespace

Type parse_type(std::string_view given) {
  check_size(given);
  const std::string text = without_type_key(given);
  switch (form_of(text)) {
    case TextForm::ShortTable:
    case TextForm::ShortType:
      return parse_type_short(text);
    case TextForm::Json:
      return without_place([&] { return parse_type(yson::from_json(text)); });
    case TextForm::Yson:
      break;
  }
  return yson::with_place(text, [&] { return parse_type(yson::parse(text)); });
}

TableSchema parse_table_schema(std::string_view given) {
  check_size(given);
  const std::string text = without_type_key(given);
  switch (form_of(text)) {
    case TextForm::ShortTable:
      return parse_short_table(text);
    case TextForm::ShortType: {
      TableSchema schema;
      schema.columns.emplace_back("value", parse_type_short(text));
      return schema;
    }
    case TextForm::Json:
      return without_place([&] { return table_of(yson::from_json(text)); });
    case TextForm::Yson:
      break;
  }
  return yson::with_place(text, [&] { return table_of(yson::parse(text)); });
}

std::string print(const TableSchema& schema, SchemaForm form) {
  if (form == SchemaForm::Short) return print_short_table(schema);
  if (form == SchemaForm::Commands) return print_commands(schema);
  if (form == SchemaForm::RowSpec) return print_node(row_spec_node(schema), form);
  return print_node(to_node(schema), form);
}

std::string print(const Type& type, SchemaForm form) {
  if (form == SchemaForm::Short) return print_short(type);
  if (form == SchemaForm::Commands || form == SchemaForm::RowSpec) {
    TableSchema schema;
    schema.columns.emplace_back("value", type);
    return print(schema, form);
  }
  return print_node(to_node(type), form);
}

}  // namespace xwalk::yt
