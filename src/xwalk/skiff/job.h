#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/skiff/row.h"
#include "xwalk/skiff/schema.h"

namespace xwalk::skiff {

/// Descriptors of a job of a YTsaurus operation: all input tables come on 0, output table i goes
/// to 1 + 3 i ("Skiff schema of a table" in the specification).
inline constexpr int kJobInput = 0;
constexpr int job_output(size_t table) { return 1 + 3 * static_cast<int>(table); }

/// Reads an open descriptor and does not close it.
std::unique_ptr<ByteSource> descriptor_source(int descriptor);
/// Writes an open descriptor and does not close it. `finish` has nothing to do.
std::unique_ptr<ByteSink> descriptor_sink(int descriptor);

/// The job side of an operation: reads rows of all input tables, writes rows of each output table.
///
///     Job job(inputs, outputs);
///     Row row;
///     while (job.next(&row)) {
///       const yson::Node* name = row.columns.find("name");
///       job.write(0, …);
///     }
///     job.finish();
///
/// In a reduce, `next_group` and `next_in_group` walk over the rows of one key at a time; each
/// input table then needs `$key_switch`.
class Job {
 public:
  /// Takes the descriptors of a job.
  Job(const Schema& inputs, const Schema& outputs);
  /// Takes streams, one sink an output table.
  Job(const Schema& inputs, std::unique_ptr<ByteSource> source, const Schema& outputs,
      std::vector<std::unique_ptr<ByteSink>> sinks);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Returns the next row of any input table, or nothing at the end. Throws Error (Input).
  std::optional<Row> next();
  /// Does the same into a row whose memory is used again. Returns false at the end.
  bool next(Row* row);

  /// Goes to the next key and returns true, or false at the end. Rows of the key before that were
  /// not read are left out. Throws Error (Usage) if an input table has no `$key_switch`.
  bool next_group();
  /// Returns the next row of the key, or nothing after its last one.
  std::optional<Row> next_in_group();
  /// Does the same into a row whose memory is used again. Returns false after the last one.
  bool next_in_group(Row* row);

  /// Writes the columns of a row (a YSON map) to an output table. Throws Error (Input) with the
  /// output table, row and column; nothing of the row is written then.
  void write(size_t table, const yson::Node& columns);
  /// Writes what is held back. Without it, rows may be missing from the outputs.
  void finish();

 private:
  class Inputs;
  class Output;

  std::unique_ptr<Inputs> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
  bool has_key_switch_ = true;
  /// First row of the group that comes next, if there is one.
  Row held_;
  bool holds_ = false;
  bool begun_ = false;
  bool in_group_ = false;
};

}  // namespace xwalk::skiff
