#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/duckdb/api.h"

namespace xwalk::duckdb {

/// A table whose rows are known before the first one is read.
struct Answer {
  struct Column {
    const char* name;
    /// DUCKDB_TYPE_VARCHAR, DUCKDB_TYPE_BLOB, DUCKDB_TYPE_BIGINT or DUCKDB_TYPE_BOOLEAN.
    duckdb_type type = DUCKDB_TYPE_VARCHAR;
  };
  using Cell = std::optional<std::string>;

  using Line = std::vector<Cell>;

  std::vector<Column> columns;
  size_t rows = 0;
  /// Makes a row. Numbers are in decimal digits, and a boolean is "true" or "false".
  std::function<Line(size_t row)> line;

  /// Sets the rows to lines that are made already.
  void set_lines(std::vector<Line> lines) {
    rows = lines.size();
    line = [kept = std::move(lines)](size_t row) { return kept[row]; };
  }
};

/// What makes the table, at each call. Throws Error.
using MakeAnswer = std::function<Answer(duckdb_bind_info)>;

/// Registers a function of parameters of these types, of `named` parameters of text and, on
/// request, every option of a conversion by name.
void register_answer(duckdb_connection connection, const char* name,
                     const std::vector<duckdb_type>& parameters, bool with_options, MakeAnswer make,
                     const std::vector<const char*>& named = {});

}  // namespace xwalk::duckdb
