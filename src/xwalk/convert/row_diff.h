#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/crosswalk/row_diff.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::io {

/// How rows are compared.
struct RowDiffOptions {
  /// Columns that pair rows; without them rows are paired by position. Rows that share a key are
  /// paired in their order, and null is a key like any other.
  std::vector<std::string> key;
  /// Pairs equal rows in any order: all columns are the key.
  bool any_order = false;
  /// Whether rows that only the right side has are no difference, and not counted.
  bool right_has_others = false;
  /// See hub::Comparison.
  std::optional<double> tolerance;
  /// Places that are kept of those at which rows differ.
  uint64_t limit = 10;
  /// Bytes of rows of each side that are sorted in memory.
  uint64_t sort_bytes = uint64_t{128} << 20;
  /// Threads that work.
  int threads = 2;
  /// Which bad rows of the left side are left out, as in a conversion; by default the first one
  /// ends the comparison.
  PipelineOptions left;
  using OnRows = std::function<void(const hub::Schema& schema, const hub::Batch& rows)>;
  /// Called with all rows of the left side in the types in which they are compared, from any
  /// thread. Bad rows are not compared.
  OnRows on_left;
  /// Called by one thread with the rows of the left and of the right side that differ from the
  /// paired row, or have none.
  OnRows on_left_unequal;
  OnRows on_right_unequal;
  /// Called with what both sides have read, by one thread at a time.
  std::function<void(const Progress&)> on_progress;
  /// Once it is true the comparison ends with Error (Interrupted).
  const std::atomic<bool>* cancelled = nullptr;
};

/// Compares the values of two tables of any systems, in bounded memory. Columns and members are
/// paired by name, and cast to a type that holds the values of both; a value that has no place in
/// it differs from all of the other side. Both inputs are read at once, with
/// `specials_as_stored`. Throws Error: Usage for a
/// key that one side does not have or whose columns cannot be compared, and what reading throws.
crosswalk::RowDiff diff_rows(Input left, Input right, const RowDiffOptions& options);

/// Counts the columns of two schemas by their names, and those that differ in `out`.
void count_columns(const hub::Schema& left, const hub::Schema& right, crosswalk::RowDiff* out);

}  // namespace xwalk::io
