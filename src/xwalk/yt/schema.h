#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/yson/node.h"
#include "xwalk/yt/type.h"
#include "xwalk/yt/type_yson.h"

namespace xwalk::yt {

enum class SortOrder : uint8_t { Ascending, Descending };
std::string_view to_string(SortOrder order);

/// Unknown attributes, kept unchanged.
using OtherAttributes = std::vector<std::pair<std::string, yson::Node>>;

/// A column of a table schema.
struct ColumnSchema {
  ColumnSchema(const ColumnSchema&);
  ColumnSchema(ColumnSchema&&) noexcept;
  ColumnSchema& operator=(const ColumnSchema&);
  ColumnSchema& operator=(ColumnSchema&&) noexcept;
  ~ColumnSchema();

  std::string name;
  Type type;
  /// The name the data is kept under; equal to `name` unless the column was renamed.
  std::string stable_name;
  std::optional<SortOrder> sort_order;
  std::optional<std::string> lock;
  std::optional<std::string> expression;
  std::optional<bool> materialized;
  std::optional<std::string> aggregate;
  std::optional<std::string> group;
  std::optional<int64_t> max_inline_hunk_size;
  std::optional<std::string> constraint;
  OtherAttributes others;

  ColumnSchema() = default;
  ColumnSchema(std::string column_name, Type column_type)
      : name(column_name), type(std::move(column_type)), stable_name(std::move(column_name)) {}

  /// Returns true if the column may not be null, as `required` says.
  bool required() const { return to_v1(type).required; }

  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

/// Something that YQL's row spec of a table says otherwise than the table's schema.
struct RowSpecDifference {
  /// "" for the table as a whole.
  std::string column;
  std::string text;

  friend bool operator==(const RowSpecDifference&, const RowSpecDifference&) = default;
};

/// The schema of a table.
struct TableSchema {
  TableSchema();
  TableSchema(const TableSchema&);
  TableSchema(TableSchema&&) noexcept;
  TableSchema& operator=(const TableSchema&);
  TableSchema& operator=(TableSchema&&) noexcept;
  ~TableSchema();

  std::vector<ColumnSchema> columns;
  bool strict = true;
  bool unique_keys = false;
  /// `schema_modification`, if it is given and is not "none".
  std::optional<std::string> schema_modification;
  /// Stable names of columns that were deleted.
  std::vector<std::string> deleted_columns;
  /// Set if the schema was read together with a row spec (row_spec.h).
  std::vector<RowSpecDifference> row_spec_differences;
  OtherAttributes others;

  /// Returns how many columns the key has.
  size_t key_column_count() const;
  const ColumnSchema* find(std::string_view name) const;

  friend bool operator==(const TableSchema&, const TableSchema&) = default;
};

/// Parses a column: `{name=…;type_v3=…}` or `{name=…;type=…;required=…}`; both given forms are
/// checked against each other.
ColumnSchema parse_column_schema(const yson::Node& node);
/// Returns the column with both forms of its type, as the system prints it.
yson::Node to_node(const ColumnSchema& column);

/// Parses `<strict=…;unique_keys=…>[{name=…}…]`.
TableSchema parse_table_schema(const yson::Node& node);
yson::Node to_node(const TableSchema& schema);
/// Returns a list without items, with the attributes: strict, unique_keys, schema_modification,
/// deleted_columns, others.
yson::Node attributes_node(const TableSchema& schema);
/// Returns a map of what a column says besides its name and type: sort_order, lock, stable_name…
/// and sets such keys of a column from it.
yson::Node column_attributes_node(const ColumnSchema& column);
void set_column_attributes(ColumnSchema* column, const yson::Node& attributes);

}  // namespace xwalk::yt
