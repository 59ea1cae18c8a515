#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// A table that is whole before its first row is asked for.
struct Answer {
  struct Column {
    const char* name;
    /// DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_BLOB or DUCKDB_TYPE_BIGINT.
    duckdb_type type = DUCKDB_TYPE_VARCHAR;
  };
  using Cell = std::optional<std::string>;

  std::vector<Column> columns;
  /// Numbers are in decimal digits.
  std::vector<std::vector<Cell>> rows;
};

/// What makes the table, at each call. Throws Error.
using MakeAnswer = std::function<Answer(duckdb_bind_info)>;

/// Registers a function of so many parameters that are texts, and, if asked for, every option of a
/// conversion by name.
void register_answer(duckdb_connection connection, const char* name, int parameters,
                     bool with_options, MakeAnswer make);

}  // namespace xwalk::duckdb
