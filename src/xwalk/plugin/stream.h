#pragma once

#include <memory>
#include <optional>

#include <arrow/record_batch.h>
#include <arrow/type_fwd.h>

#include "xwalk/plugin/bytes.h"
#include "xwalk/plugin/failure.h"
#include "xwalk/plugin/options.h"

namespace xwalk::plugin {

/// What each format's reader offers to the C stream.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual std::shared_ptr<arrow::Schema> schema() const = 0;
  /// Returns the rows of the input, if they are known before they are read.
  virtual std::optional<int64_t> rows() const = 0;
  /// Returns the next batch, or null at the end. May throw.
  virtual arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() = 0;
};

/// Wraps a reader as a C stream that reports failures to the host.
void make_stream(std::unique_ptr<Reader> reader, Failures failures, ArrowArrayStream* out);

/// Cuts batches that are longer than `rows` into slices, without copying.
class BatchCutter {
 public:
  explicit BatchCutter(int64_t rows) : rows_(rows) {}
  bool empty() const { return batch_ == nullptr; }
  void put(std::shared_ptr<arrow::RecordBatch> batch);
  std::shared_ptr<arrow::RecordBatch> take();
  /// Puts back the rows of the last batch from `rows` on.
  void put_back(const arrow::RecordBatch& last, int64_t rows);

 private:
  int64_t rows_;
  int64_t offset_ = 0;
  std::shared_ptr<arrow::RecordBatch> batch_;
};

}  // namespace xwalk::plugin
