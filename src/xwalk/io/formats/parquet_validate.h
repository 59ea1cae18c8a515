#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "xwalk/base/limits.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/finding.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/rows/pipeline.h"

namespace xwalk::io {

struct ParquetValidationOptions {
  /// Also reads every value and checks it against its annotation.
  bool values = false;
  /// As in ParquetInputOptions.
  uint64_t max_memory = limits::kMemory;
  /// Threads the engine may use.
  int threads = 1;
  /// Called for each bad value, by rows and, within a row, by columns: `error` has row and path.
  std::function<void(const hub::BadRow&)> on_bad_value;
  std::function<void(const Progress&)> on_progress;
  /// As in PipelineOptions.
  const std::atomic<bool>* cancelled = nullptr;
};

/// What `validate` found in a Parquet file.
struct ParquetValidation {
  /// Findings of the schema's rules, in its order, with `hub::is_violation` for broken ones,
  /// followed by remarks about values that are valid, such as repeated keys.
  hub::Findings findings;
  /// Whether values were read: they were requested and the schema can be mapped.
  bool values_read = false;
  uint64_t rows = 0;
  uint64_t bad_rows = 0;
  uint64_t bad_values = 0;

  /// Returns true if no rule is broken and no value is bad.
  bool valid() const;
};

/// Checks a Parquet file: every rule of its schema, and on request every value: integers of more
/// bits than their annotation has, text that is not UTF-8, JSON or BSON, decimals of more digits,
/// times beyond a day, values of UNKNOWN, null keys. All values of INTERVAL and INT96 are valid,
/// even those that Arrow cannot hold. The source must have contents (`with_contents`). Throws Error
/// (Input) for bytes that are not a Parquet file or pages that cannot be read.
ParquetValidation validate_parquet(std::unique_ptr<Source> source,
                                   const ParquetValidationOptions& options = {});

}  // namespace xwalk::io
