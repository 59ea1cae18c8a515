#include <algorithm>
#include <memory>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/skiff/row_encoder.h"
#include "xwalk/skiff/values.h"

namespace xwalk::skiff {
namespace {

/// Rows encoded between writes: some hundred kilobytes, which stay in the cache.
constexpr int64_t kStepRows = 4096;

class RowsWriter final : public hub::BatchWriter {
 public:
  RowsWriter(std::unique_ptr<ByteSink> sink, const Schema& schema, const WriteOptions& options)
      : sink_(std::move(sink)), options_(options), encoder_(schema, options) {}

  void write(hub::Batch batch) override {
    if (!batch.bad.empty()) {
      throw Error(ErrorCode::Internal, "expected a batch without bad rows, found some");
    }
    int64_t rows = batch.rows();
    for (int64_t begin = 0; begin < rows; begin += kStepRows) {
      encoder_.encode(batch.array, begin, std::min(rows, begin + kStepRows), batch.first_row,
                      written_rows_, &buffer_);
      sink_->write(buffer_.view());
      buffer_.clear();
    }
    written_rows_ += rows;
  }

  void finish() override {
    if (options_.end_of_stream) sink_->write(kEndOfStreamBytes);
    sink_->finish();
  }

  uint64_t bytes_written() const override { return sink_->position(); }

 private:
  std::unique_ptr<ByteSink> sink_;
  WriteOptions options_;
  RowEncoder encoder_;
  yson::Buffer buffer_;
  int64_t written_rows_ = 0;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink, const Schema& schema,
                                             const WriteOptions& options) {
  return std::make_unique<RowsWriter>(std::move(sink), schema, options);
}

}  // namespace xwalk::skiff
