#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/skiff/format.h"
#include "xwalk/yt/schema.h"

namespace xwalk::skiff {

/// The contents of the schema file next to a `.skiff` file: the format of its rows and, if known,
/// the schemas of its tables. Without a table schema, column types follow from the wire types.
struct Schema {
  Format format;
  /// Empty, or one per table.
  std::vector<yt::TableSchema> table_schemas;

  const yt::TableSchema* table_schema(size_t table) const {
    return table < table_schemas.size() ? &table_schemas[table] : nullptr;
  }

  friend bool operator==(const Schema&, const Schema&) = default;
};

/// What `derive` chooses where several wire types would do.
struct DeriveOptions {
  /// Integers, dates and times in their own width rather than the 64 bits that the written
  /// specification knows.
  bool narrow = false;
  bool row_index = false;
  bool range_index = false;
  bool key_switch = false;
};

/// Returns the schema of one of several tables.
Schema of_table(const Schema& schema, size_t table);

/// Makes the schema of one table, its skiff schema derived.
Schema schema_of(const yt::TableSchema& table, const DeriveOptions& options = {});

/// Written forms of a schema.
enum class SchemaForm : uint8_t {
  File,      ///< `{table_schemas=[…];format=<…>skiff}`, pretty YSON
  Format,    ///< the configuration of the format alone, pretty YSON
  Short,     ///< the short form, one line a table
  Commands,  ///< ready `yt read-table` lines, one a table
};

/// Parses any written form, and also a bare table schema of YTsaurus, whose wire types are then
/// derived, a table's skiff schema, and any other skiff schema. Throws Error (Input) with its
/// place.
Schema parse_schema(std::string_view text, const DeriveOptions& options = {});
std::string print(const Schema& schema, SchemaForm form);

}  // namespace xwalk::skiff
