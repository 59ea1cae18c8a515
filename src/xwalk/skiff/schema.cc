#include "xwalk/skiff/schema.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/derive.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/forms.h"

namespace xwalk::skiff {
namespace {

using yson::Node;

Schema parse_file_form(const Node& node) {
  Schema schema;
  const Node* format = node.find("format");
  if (format == nullptr) {
    throw Error(ErrorCode::Input, "expected the key format beside table_schemas, found none");
  }
  schema.format = parse_format(*format);
  const Node* tables = node.find("table_schemas");
  if (tables == nullptr || tables->is(Node::Kind::Entity)) return schema;
  for (const Node& table : tables->as_list()) {
    schema.table_schemas.push_back(yt::parse_table_schema(table));
  }
  if (!schema.table_schemas.empty() && schema.table_schemas.size() != schema.format.tables.size()) {
    throw Error(ErrorCode::Input,
                fmt::format("expected one table schema for each of {} tables, found {}",
                            schema.format.tables.size(), schema.table_schemas.size()));
  }
  return schema;
}

/// The short form begins with a wire type, which may follow a name. YSON never does.
bool looks_short(std::string_view text) {
  size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return false;
  if (text[from] == '\'') return true;
  size_t to = from;
  while (to < text.size() && (is_ascii_alnum(text[to]) || text[to] == '_')) ++to;
  std::string_view word = text.substr(from, to - from);
  return wire_from_name(word).has_value() &&
         text.find_first_not_of(" \t\r\n", to) != std::string_view::npos;
}

Schema parse_short_tables(std::string_view text) {
  Schema schema;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      schema.format.tables.push_back(parse_short(line));
    }
    at = end + 1;
  }
  return schema;
}

}  // namespace

Schema of_table(const Schema& schema, size_t table) {
  Schema own;
  own.format.tables.push_back(schema.format.tables.at(table));
  if (const yt::TableSchema* known = schema.table_schema(table)) {
    own.table_schemas.push_back(*known);
  }
  return own;
}

Schema schema_of(const yt::TableSchema& table, const DeriveOptions& options) {
  Schema schema;
  schema.format.tables.push_back(derive(table, options));
  schema.table_schemas.push_back(table);
  return schema;
}

Schema parse_schema(std::string_view text, const DeriveOptions& options) {
  if (looks_short(text)) return parse_short_tables(text);
  Node node;
  try {
    node = yson::parse(text);
  } catch (const Error&) {
    // The short notation of YTsaurus is no YSON; its own parser has the better message.
    return schema_of(yt::parse_table_schema(text), options);
  }
  const bool is_format =
      node.is(Node::Kind::String) &&
      (node.as_string() == "skiff" || node.find_attribute("table_skiff_schemas") != nullptr);
  const bool is_map = node.is(Node::Kind::Map);
  if (is_map && node.find("format") != nullptr) {
    return yson::with_place(text, [&] { return parse_file_form(node); });
  }
  if (is_map && node.find("wire_type") != nullptr) {
    return {Format{{yson::with_place(text, [&] { return parse_type(node); })}}, {}};
  }
  if (is_format) return {yson::with_place(text, [&] { return parse_format(node); }), {}};
  return schema_of(yt::parse_table_schema(text), options);
}

std::string print(const Schema& schema, SchemaForm form) {
  switch (form) {
    case SchemaForm::File: {
      Node node = Node::map();
      Node tables = Node::list();
      for (const yt::TableSchema& table : schema.table_schemas) tables.add(yt::to_node(table));
      if (!schema.table_schemas.empty()) node.add("table_schemas", std::move(tables));
      node.add("format", to_node(schema.format));
      return yson::print(node, yson::Format::Pretty);
    }
    case SchemaForm::Format:
      return yson::print(to_node(schema.format), yson::Format::Pretty);
    case SchemaForm::Short: {
      std::string text;
      for (const Type& table : schema.format.tables) text += to_string(table) + "\n";
      return text;
    }
    case SchemaForm::Commands: {
      std::string text;
      for (size_t i = 0; i < schema.format.tables.size(); ++i) {
        text += fmt::format("yt read-table //path/to/table --format {} > rows.skiff\n",
                            shell_quoted(yson::print(to_node(of_table(schema, i).format))));
      }
      return text;
    }
  }
  return {};
}

}  // namespace xwalk::skiff
