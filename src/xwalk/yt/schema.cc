// Columns and tables as YSON trees.

#include "xwalk/yt/schema.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yt/forms.h"

namespace xwalk::yt {
namespace {

using yson::described;
using yson::Node;

[[noreturn]] void fail(const Node& node, std::string message, std::string_view column,
                       std::string hint = {}) {
  Place place;
  place.byte = node.source_offset();
  if (!column.empty()) place.path = Path::column(column);
  throw Error(ErrorCode::Input, std::move(message), std::move(place), std::move(hint));
}

/// What stands for something in the map of a column, and among the attributes of a table.
constexpr std::string_view kColumnKeys[] = {"name",
                                            "type",
                                            "required",
                                            "type_v3",
                                            "deleted",
                                            "stable_name",
                                            "lock",
                                            "expression",
                                            "materialized",
                                            "aggregate",
                                            "sort_order",
                                            "group",
                                            "max_inline_hunk_size",
                                            "constraint"};
constexpr std::string_view kTableKeys[] = {"strict", "unique_keys", "schema_modification",
                                           "deleted_columns"};

/// Returns what a map says besides. `#` stands for a key that is not given.
OtherAttributes others_in(const Node& map, std::span<const std::string_view> known) {
  OtherAttributes others;
  for (const auto& [key, value] : map.as_map()) {
    if (std::ranges::find(known, key) == known.end()) others.emplace_back(key, value);
  }
  return others;
}

/// Reads keys of one column and says which column it is when one of them is wrong.
class ColumnReader {
 public:
  ColumnReader(const Node& node, std::string_view column) : node_(node), column_(column) {}

  const Node* find(std::string_view key) const {
    const Node* value = node_.find(key);
    // `#` stands for a key that is not given.
    return value != nullptr && value->is(Node::Kind::Entity) ? nullptr : value;
  }

  std::optional<std::string> string(std::string_view key) const {
    const Node* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is(Node::Kind::String)) {
      fail(*value,
           fmt::format("cannot parse \"{}\": expected string, found {}", key, described(*value)),
           column_);
    }
    return value->as_string();
  }

  std::optional<bool> boolean(std::string_view key) const {
    const Node* value = find(key);
    if (value == nullptr) return std::nullopt;
    // Older clients write booleans as strings.
    if (value->is(Node::Kind::String)) {
      if (value->as_string() == "true") return true;
      if (value->as_string() == "false") return false;
    }
    if (!value->is(Node::Kind::Boolean)) {
      fail(*value,
           fmt::format("cannot parse \"{}\": expected boolean, found {}", key, described(*value)),
           column_);
    }
    return value->as_boolean();
  }

  std::optional<int64_t> integer(std::string_view key) const {
    const Node* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is(Node::Kind::Uint64) && value->as_uint64() <= INT64_MAX) {
      return static_cast<int64_t>(value->as_uint64());
    }
    if (!value->is(Node::Kind::Int64)) {
      fail(*value,
           fmt::format("cannot parse \"{}\": expected int64, found {}", key, described(*value)),
           column_);
    }
    return value->as_int64();
  }

  Type type() const {
    const Node* v3 = find("type_v3");
    const Node* v1 = find("type");
    std::optional<bool> required = boolean("required");
    std::optional<TypeKind> v1_kind;
    if (v1 != nullptr) v1_kind = parse_v1(*v1);
    if (v3 == nullptr) {
      if (!v1_kind) fail(node_, "column type is not specified", column_, "add type_v3=…");
      return with_column([&] { return from_v1(*v1_kind, required.value_or(false)); });
    }
    Type type = with_column([&] { return parse_type(*v3); });
    V1Type expected = to_v1(type);
    if (v1_kind && *v1_kind != expected.type) {
      fail(*v1,
           fmt::format("\"type_v3\" does not match \"type\": expected \"{}\", found \"{}\"",
                       v1_name(expected.type), v1_name(*v1_kind)),
           column_, "leave \"type\" out: type_v3 says everything");
    }
    if (required && *required != expected.required) {
      fail(*find("required"),
           fmt::format("\"type_v3\" does not match \"required\": expected {}, found {}",
                       expected.required, *required),
           column_, "leave \"required\" out: type_v3 says everything");
    }
    return type;
  }

 private:
  template <typename Call>
  Type with_column(const Call& call) const {
    try {
      return call();
    } catch (Error& error) {
      if (error.place().path.empty() && !column_.empty()) {
        error.place().path = Path::column(column_);
      }
      if (!error.place().byte) error.place().byte = node_.source_offset();
      throw;
    }
  }

  TypeKind parse_v1(const Node& node) const {
    if (!node.is(Node::Kind::String)) {
      fail(node, fmt::format("cannot parse \"type\": expected string, found {}", described(node)),
           column_, "composite types are given as type_v3");
    }
    const std::string& name = node.as_string();
    std::optional<TypeKind> kind = kind_of_v1_name(name);
    if (kind) return *kind;
    std::string hint;
    if (name == "bool") {
      hint = "\"type\" calls it boolean; type_v3 calls it bool";
    } else if (name == "yson") {
      hint = "\"type\" calls it any; type_v3 calls it yson";
    } else if (kind_of_name(name)) {
      hint = "composite types and decimals are given as type_v3";
    }
    fail(node, fmt::format("expected a simple type, found {}", quoted(name)), column_,
         std::move(hint));
  }

  const Node& node_;
  std::string_view column_;
};

void add_text(Node* node, std::string_view key, const std::optional<std::string>& value) {
  if (value) node->add(std::string(key), Node::string(*value));
}

void add_column_attributes(Node* node, const ColumnSchema& column) {
  if (column.stable_name != column.name) {
    node->add("stable_name", Node::string(column.stable_name));
  }
  add_text(node, "lock", column.lock);
  add_text(node, "expression", column.expression);
  if (column.materialized) node->add("materialized", Node::boolean(*column.materialized));
  add_text(node, "aggregate", column.aggregate);
  if (column.sort_order) {
    node->add("sort_order", Node::string(std::string(to_string(*column.sort_order))));
  }
  add_text(node, "group", column.group);
  if (column.max_inline_hunk_size) {
    node->add("max_inline_hunk_size", Node::int64(*column.max_inline_hunk_size));
  }
  add_text(node, "constraint", column.constraint);
  for (const auto& [key, value] : column.others) node->add(key, value);
}

std::string stable_name_of_deleted(const Node& node) {
  const Node* name = node.is(Node::Kind::Map) ? node.find("stable_name") : nullptr;
  if (name == nullptr || !name->is(Node::Kind::String)) {
    fail(node, "stable name should be set for deleted column", "");
  }
  return name->as_string();
}

void parse_attributes(TableSchema* schema, const Node& node) {
  Node map = Node::map(node.attributes());
  ColumnReader reader(map, "");
  schema->strict = reader.boolean("strict").value_or(true);
  schema->unique_keys = reader.boolean("unique_keys").value_or(false);
  schema->schema_modification = reader.string("schema_modification");
  if (schema->schema_modification == "none") schema->schema_modification.reset();
  schema->others = others_in(map, kTableKeys);
  const Node* deleted = reader.find("deleted_columns");
  if (deleted == nullptr) return;
  if (!deleted->is(Node::Kind::List)) {
    fail(*deleted,
         fmt::format("cannot parse \"deleted_columns\": expected list, found {}",
                     described(*deleted)),
         "");
  }
  for (const Node& entry : deleted->as_list()) {
    schema->deleted_columns.push_back(stable_name_of_deleted(entry));
  }
}

}  // namespace

std::string_view to_string(SortOrder order) {
  return order == SortOrder::Ascending ? "ascending" : "descending";
}

size_t TableSchema::key_column_count() const {
  return static_cast<size_t>(
      std::count_if(columns.begin(), columns.end(),
                    [](const ColumnSchema& column) { return column.sort_order.has_value(); }));
}

const ColumnSchema* TableSchema::find(std::string_view name) const {
  auto found_column = std::find_if(columns.begin(), columns.end(),
                                   [&](const ColumnSchema& column) { return column.name == name; });
  return found_column == columns.end() ? nullptr : &*found_column;
}

void set_column_attributes(ColumnSchema* column, const yson::Node& attributes) {
  ColumnReader reader(attributes, column->name);
  column->stable_name = reader.string("stable_name").value_or(column->name);
  column->lock = reader.string("lock");
  column->expression = reader.string("expression");
  column->materialized = reader.boolean("materialized");
  column->aggregate = reader.string("aggregate");
  column->group = reader.string("group");
  column->max_inline_hunk_size = reader.integer("max_inline_hunk_size");
  column->constraint = reader.string("constraint");
  column->others = others_in(attributes, kColumnKeys);
  std::optional<std::string> order = reader.string("sort_order");
  if (!order) {
    column->sort_order.reset();
  } else if (*order == "ascending") {
    column->sort_order = SortOrder::Ascending;
  } else if (*order == "descending") {
    column->sort_order = SortOrder::Descending;
  } else {
    fail(*reader.find("sort_order"),
         fmt::format("expected sort_order ascending or descending, found {}", quoted(*order)),
         column->name);
  }
}

yson::Node column_attributes_node(const ColumnSchema& column) {
  Node node = Node::map();
  add_column_attributes(&node, column);
  return node;
}

ColumnSchema parse_column_schema(const yson::Node& node) {
  if (!node.is(Node::Kind::Map)) {
    fail(node, fmt::format("expected a map that describes a column, found {}", described(node)),
         "");
  }
  ColumnSchema column;
  column.name = ColumnReader(node, "").string("name").value_or("");
  ColumnReader reader(node, column.name);
  column.type = reader.type();
  set_column_attributes(&column, node);
  return column;
}

yson::Node to_node(const ColumnSchema& column) {
  V1Type v1 = to_v1(column.type);
  Node node = Node::map();
  node.add("name", Node::string(column.name));
  node.add("type", Node::string(std::string(v1_name(v1.type))));
  node.add("required", Node::boolean(v1.required));
  node.add("type_v3", to_node(column.type));
  add_column_attributes(&node, column);
  return node;
}

TableSchema parse_table_schema(const yson::Node& node) {
  if (!node.is(Node::Kind::List)) {
    fail(node, fmt::format("expected a list of columns, found {}", described(node)), "");
  }
  TableSchema schema;
  parse_attributes(&schema, node);
  for (const Node& item : node.as_list()) {
    // Some versions keep deleted columns among the others.
    if (item.is(Node::Kind::Map) && ColumnReader(item, "").boolean("deleted").value_or(false)) {
      schema.deleted_columns.push_back(stable_name_of_deleted(item));
      continue;
    }
    schema.columns.push_back(parse_column_schema(item));
  }
  return schema;
}

yson::Node attributes_node(const TableSchema& schema) {
  Node node = Node::list();
  node.add_attribute("strict", Node::boolean(schema.strict));
  node.add_attribute("unique_keys", Node::boolean(schema.unique_keys));
  if (schema.schema_modification) {
    node.add_attribute("schema_modification", Node::string(*schema.schema_modification));
  }
  if (!schema.deleted_columns.empty()) {
    Node deleted = Node::list();
    for (const std::string& name : schema.deleted_columns) {
      Node entry = Node::map();
      entry.add("stable_name", Node::string(name));
      deleted.add(std::move(entry));
    }
    node.add_attribute("deleted_columns", std::move(deleted));
  }
  for (const auto& [key, value] : schema.others) node.add_attribute(key, value);
  return node;
}

yson::Node to_node(const TableSchema& schema) {
  Node node = attributes_node(schema);
  for (const ColumnSchema& column : schema.columns) node.add(to_node(column));
  return node;
}

TableSchema::TableSchema() = default;
TableSchema::TableSchema(const TableSchema&) = default;
TableSchema::TableSchema(TableSchema&&) noexcept = default;
TableSchema& TableSchema::operator=(const TableSchema&) = default;
TableSchema& TableSchema::operator=(TableSchema&&) noexcept = default;
TableSchema::~TableSchema() = default;

ColumnSchema::ColumnSchema(const ColumnSchema&) = default;
ColumnSchema::ColumnSchema(ColumnSchema&&) noexcept = default;
ColumnSchema& ColumnSchema::operator=(const ColumnSchema&) = default;
ColumnSchema& ColumnSchema::operator=(ColumnSchema&&) noexcept = default;
ColumnSchema::~ColumnSchema() = default;

}  // namespace xwalk::yt
