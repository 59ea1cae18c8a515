#pragma once

#include <string>

#include "xwalk/hub/finding.h"
#include "xwalk/yson/node.h"
#include "xwalk/yt/schema.h"

// YQL keeps its own description of a table in the attribute `_yql_row_spec`: the type of a row as a
// list of type nodes, `["StructType";[["id";["DataType";"Int64"]]]]`, and how rows are sorted. What
// YTsaurus stores for each type of YQL is for `NativeYtTypeFlags` to say.
namespace xwalk::yt {

/// Returns true for the value of `_yql_row_spec`, a map with `Type` or `TypePatch`.
bool is_row_spec(const yson::Node& node);
/// Returns true for attributes of a table, a map or the attributes of an entity, that have
/// `_yql_row_spec`, or `schema` and no name: what `yt get //table/@` prints.
bool is_table_attributes(const yson::Node& node);

/// Reads the schema of the table that YQL would make for a row spec: types as they are stored, key
/// columns first. Parts that a schema cannot hold are listed in `row_spec_differences`. Throws
/// Error (Input) with the byte of the node that is wrong.
TableSchema parse_row_spec(const yson::Node& node);
/// Reads the attributes of a table: `schema`, with the differences of its row spec in
/// `row_spec_differences`. If there is no schema, reads the row spec alone. Throws as above.
TableSchema parse_table_attributes(const yson::Node& node);

/// Returns the row spec that YQL would derive from a schema. Locks, expressions and other parts
/// that it cannot hold are dropped, and listed in `lost` if that is given (`metadata.lost`).
yson::Node row_spec_node(const TableSchema& schema, hub::Findings* lost = nullptr);

}  // namespace xwalk::yt
