#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/yt/schema.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Parses one type in any written form: YSON (text or binary), JSON or short notation.
Type parse_type(std::string_view text);
/// Parses a table schema in YSON (text or binary), JSON or short notation; or a row spec of YQL, or
/// attributes of a table with one or both of them; or one column; or one type in any of these
/// forms, which becomes the only column `value`.
TableSchema parse_table_schema(std::string_view text);

/// Written forms of a table schema.
enum class SchemaForm : uint8_t {
  Yson,        ///< pretty YSON text
  YsonBinary,  ///< binary YSON
  Json,        ///< {"$attributes": {…}, "$value": […]}, as the system writes YSON in JSON
  Short,       ///< one line per column: `'a': Optional<Int64> {"sort_order"="ascending";}`
  RowSpec,     ///< `_yql_row_spec`, as YQL describes the table to itself
  Commands,    ///< ready `yt create` and `yt write-table` lines
};
std::string print(const TableSchema& schema, SchemaForm form);

/// Prints one type in a form. For Commands and RowSpec it is the table with the only column
/// `value`.
std::string print(const Type& type, SchemaForm form);

}  // namespace xwalk::yt
