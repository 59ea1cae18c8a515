#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/limits.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/bytes/source.h"
#include "xwalk/io/rows/file_range.h"
#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/parquet/file.h"

namespace xwalk::io {

struct ParquetInputOptions {
  /// Names of the columns wanted; nothing for all.
  std::optional<std::vector<std::string>> columns;
  int64_t batch_rows = limits::kBatchRows;
  int64_t batch_bytes = static_cast<int64_t>(limits::kBatchBytes);
  uint64_t max_memory = limits::kMemory;
  int threads = 1;
  /// INT96 becomes microseconds.
  bool int96_micros = false;
  /// INTERVAL, INT96 and a TIMESTAMP of 12 bytes are read as their stored bytes.
  bool storage = false;
  /// Whether the Arrow schema that a writer kept in the file is applied.
  bool arrow_schema = true;
  /// A bad row comes once for each reason, in `Batch::bad`.
  bool every_reason = false;
  /// The row groups wanted; nothing for all.
  std::optional<Part> part;
};

/// Opens a Parquet file. The engine decodes the pages when a piece is taken; those of a small file
/// when the piece is decoded. xwalk's own rules interpret the schema and convert the values when
/// the piece is decoded. The source must have
/// contents (`with_contents`). Throws Error: Input for a malformed file or schema, Unsupported for
/// types that xwalk cannot map.
std::unique_ptr<SplitReader> open_parquet(std::unique_ptr<Source> source,
                                          const ParquetInputOptions& options = {});

/// Returns the hub schema of a file: what its batches will be.
hub::Schema parquet_arrow_schema(const parquet::Footer& footer,
                                 const ParquetInputOptions& options = {});

}  // namespace xwalk::io
