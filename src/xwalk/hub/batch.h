#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/handle.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// A row that a decoder or a cast rejects: its index in the batch, the reason, and, if the reader
/// has them, the bytes of the row as read from the source. If not, the pipeline fills in the row as
/// YSON text.
struct BadRow {
  int64_t index = 0;
  Error error;
  std::string source_bytes;
};

/// What a YTsaurus stream reports about a row in addition to its columns.
struct RowControl {
  /// The row's position in the source table. Empty if unknown.
  std::optional<int64_t> range_index;
  std::optional<int64_t> row_index;
  /// A new key begins with this row.
  bool key_switch = false;
};

/// A run of rows: one struct array, the number of its first row in the whole input, and the rows
/// in it that must not reach a sink. A bad row still has a place in every column (a null or a
/// zero), so that one mask applies to all columns at once. Indices of `bad` ascend.
struct Batch {
  Batch();
  Batch(const Batch&);
  Batch(Batch&&) noexcept;
  Batch& operator=(const Batch&);
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  Array array;
  int64_t first_row = 0;
  std::vector<BadRow> bad;
  /// One per row if the options of the reader include them and the stream has any. Otherwise empty.
  std::vector<RowControl> controls;

  int64_t rows() const { return array.length; }
};

/// A pull stream of batches of one schema.
class BatchReader {
 public:
  virtual ~BatchReader() = default;
  virtual const Schema& schema() const = 0;
  /// Returns the next batch, or nothing at the end. Throws Error if reading cannot continue.
  virtual std::optional<Batch> next() = 0;
  /// Returns the total number of rows, if the source knows it before reading.
  virtual std::optional<int64_t> total_rows() const { return std::nullopt; }
  /// Returns the bytes of the source consumed so far, and in all if known; for progress.
  virtual uint64_t bytes_read() const { return 0; }
  virtual std::optional<uint64_t> total_bytes() const { return std::nullopt; }
};

/// A push sink of batches of one schema. Batches must carry no bad rows.
class BatchWriter {
 public:
  virtual ~BatchWriter() = default;
  virtual void write(Batch batch) = 0;
  /// Completes the output. Without it, destruction discards the output.
  virtual void finish() = 0;
  virtual uint64_t bytes_written() const { return 0; }
};

/// Wraps a C stream as a reader. Errors of the stream become Error (Input), unless the stream was
/// made by `export_stream` of this library, whose full Error is rethrown.
std::unique_ptr<BatchReader> import_stream(StreamHandle stream);

/// Wraps a reader as a C stream. A bad row is an error there (EINVAL with its text); the full Error
/// is kept and rethrown by `import_stream` or `rethrow_stream_error`.
StreamHandle export_stream(std::unique_ptr<BatchReader> reader);

/// Rethrows the error that a stream made by `export_stream` met, if it met one. Lets row, byte and
/// column survive a foreign consumer that only passes on an errno.
void rethrow_stream_error(const ArrowArrayStream& stream);

}  // namespace xwalk::hub
