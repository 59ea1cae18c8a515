#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/schema.h"

namespace xwalk::crosswalk {

/// A column, or a member of one, whose values are not compared: one that only one side has, or
/// whose types cannot be cast to each other.
struct ColumnDifference {
  std::string path;
  /// The types in each system's notation, "" if the column is missing.
  std::string left;
  std::string right;
};

/// How many rows differ in a column.
struct ColumnCount {
  std::string name;
  uint64_t rows = 0;
};

/// The change of a row, or of a value in it.
enum class RowChange : uint8_t { Added, Removed, Changed };
std::string_view to_string(RowChange change);

/// One place at which the rows of two tables differ.
struct RowDifference {
  RowChange change = RowChange::Changed;
  /// Numbers of the row, from 0; empty if that side does not have it.
  std::optional<uint64_t> left_row;
  std::optional<uint64_t> right_row;
  /// The key of the row: `id=5, day=2024-01-01`; "" if rows have no key.
  std::string key;
  /// The place of the value, "" for a whole row.
  std::string path;
  /// The values as JSON, "" for no row.
  std::string left;
  std::string right;
};

/// Returns the number of the row, `7`, or `7 → 9` if it differs between the sides.
std::string place_of(const RowDifference& found);

/// How the rows of two tables differ.
struct RowDiff {
  std::string left_name;
  std::string right_name;
  System left_system = arrow::kModule;
  System right_system = arrow::kModule;
  uint64_t left_rows = 0;
  uint64_t right_rows = 0;
  std::vector<ColumnDifference> columns;
  uint64_t added = 0;
  uint64_t removed = 0;
  uint64_t changed = 0;
  /// Columns in which rows that both sides have differ, in their order.
  std::vector<ColumnCount> counts;
  /// Columns of either side, each name once, and those of them that differ: that are counted above,
  /// or not compared as a whole or in part.
  uint64_t all_columns = 0;
  uint64_t differing_columns = 0;
  /// Columns that rows are paired by; empty if they are paired by position.
  std::vector<std::string> key;
  /// Rows whose key an earlier row of their side has.
  uint64_t left_repeated = 0;
  uint64_t right_repeated = 0;
  /// The first differences, as many as were asked for.
  std::vector<RowDifference> first;

  /// Rows that only one side has, and pairs of rows that are not the same.
  uint64_t differing_rows() const { return added + removed + changed; }
  bool same() const { return columns.empty() && differing_rows() == 0; }
};

/// Returns how many rows differ in each column: `differs: a in 2 rows, b in 1 row`.
std::string counts_of(const RowDiff& diff);

}  // namespace xwalk::crosswalk
