#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/cast.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// How far a pipeline is.
struct Progress {
  uint64_t rows = 0;      ///< written
  uint64_t bad_rows = 0;  ///< left out
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  std::optional<int64_t> total_rows;
  std::optional<uint64_t> total_bytes;
  /// Why the first bad row was left out.
  std::shared_ptr<const Error> first_bad;
};

struct PipelineOptions {
  /// Threads that work, the caller's among them; 0 for as many as the machine has.
  int threads = 0;
  /// Leaves bad rows out and goes on; otherwise the first one ends the pipeline with its error.
  bool skip_bad_rows = false;
  /// Bad rows over this many end the pipeline with Error (Input).
  std::optional<uint64_t> max_bad_rows;
  /// The same of a share of all rows, once all are read.
  std::optional<double> max_bad_share;
  /// Called with the counts before the writer is finished. Throws Error to end the pipeline.
  std::function<void(const Progress&)> before_finish;
  /// Called for each row that is left out, in order of the rows, by one thread at a time;
  /// `error.place().row` is its number in the whole input, and `source_bytes` the row: its bytes in
  /// the input, or YSON of its Arrow values if the input has no bytes per row.
  std::function<void(const hub::BadRow&)> on_bad_row;
  /// Called after a batch is written, by one thread at a time, at most about ten times a second.
  std::function<void(const Progress&)> on_progress;
  /// Looked at before each batch; once it is true the pipeline ends with Error (Interrupted). May
  /// be set in a signal handler.
  const std::atomic<bool>* cancelled = nullptr;
};

/// Sets how many bad rows may be: a number such as 1000, or a share of all rows such as 5%. Throws
/// Error (Usage).
void set_max_rejects(std::string_view text, PipelineOptions* options);

/// Counts a bad row that is left out. Throws Error (Input) for one too many.
void count_bad_row(const hub::BadRow& row, const PipelineOptions& options, Progress* progress);

/// Throws Error (Input) if no row was accepted and some were bad, or more than may be.
void check_rejects(const Progress& done, const PipelineOptions& options);

/// Moves all rows from a reader through a cast into a writer, and finishes the writer. `cast` may
/// be null (batches pass as they are), and so may `writer` (rows are read, cast and counted only).
///
/// Each thread takes a piece, decodes, casts and encodes it, and puts it where its turn in the
/// order of rows comes; so a SplitReader and a SplitWriter work on all threads. At most a few
/// batches per thread are in memory. An error of any stage stops all of them; of several errors the
/// one earliest in the input is thrown. Then the writer is not finished, and its output vanishes
/// with it.
Progress run_pipeline(SplitReader& reader, const hub::CompiledCast* cast, hub::BatchWriter* writer,
                      const PipelineOptions& options = {});

/// The same for any reader.
Progress run_pipeline(std::unique_ptr<hub::BatchReader> reader, const hub::CompiledCast* cast,
                      hub::BatchWriter* writer, const PipelineOptions& options = {});

}  // namespace xwalk::io
