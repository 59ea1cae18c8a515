#pragma once

// The job side of a YTsaurus operation in Skiff. Functions throw xwalk::Error.

#include <cstddef>
#include <memory>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/skiff/row.h"

// libxwalk.so shows what the installed headers declare.
#pragma GCC visibility push(default)

namespace xwalk {

/// A row of an input table: its columns as a YSON map, and the control columns of its schema.
using SkiffRow = skiff::Row;
/// A YSON value.
using YsonNode = yson::Node;

/// Reads rows of all input tables from descriptor 0 and writes rows of output table i to
/// descriptor 1 + 3 i.
///
///     SkiffJob job(inputs, outputs);
///     SkiffRow row;
///     while (job.next(&row)) {
///       const YsonNode* name = row.columns.find("name");
///       job.write(0, …);
///     }
///     job.finish();
///
/// In a reduce, `next_group` and `next_in_group` read the rows of one key at a time. Each input
/// table then needs `$key_switch`.
class SkiffJob {
 public:
  /// Takes the Skiff schemas of the tables, in any written form, a table after another. Throws
  /// Error (Input) for text that is not one.
  SkiffJob(std::string_view inputs, std::string_view outputs);
  ~SkiffJob();
  SkiffJob(const SkiffJob&) = delete;
  SkiffJob& operator=(const SkiffJob&) = delete;

  /// Reads the next row of any input table. Returns false at the end. Throws Error (Input).
  bool next(SkiffRow* row);
  /// Goes to the next key and returns true, or false at the end. Rows of the previous key that were
  /// not read are skipped. Throws Error (Usage) if an input table has no `$key_switch`.
  bool next_group();
  /// Reads the next row of the key. Returns false after its last row.
  bool next_in_group(SkiffRow* row);

  /// Writes the columns of a row, a YSON map, to an output table. Throws Error (Input) with the
  /// output table, row and column.
  void write(size_t table, const YsonNode& columns);
  /// Writes the buffered rows. Without it, rows may be missing from the outputs.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xwalk

#pragma GCC visibility pop
