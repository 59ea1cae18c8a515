#include <algorithm>

#include "xwalk/yt/row_encoder.h"
#include "xwalk/yt/values.h"

namespace xwalk::yt {
namespace {

/// Bytes gathered before they go to the sink.
constexpr size_t kWriteBytes = size_t{1} << 20;
/// Rows encoded between looks at how many bytes there are.
constexpr int64_t kStepRows = 256;

class RowsWriter final : public hub::BatchWriter {
 public:
  RowsWriter(std::unique_ptr<ByteSink> sink, const TableSchema& schema, const ValueOptions& options)
      : sink_(std::move(sink)), encoder_(schema, options) {}

  void write(hub::Batch batch) override {
    if (!batch.bad.empty()) throw batch.bad.front().error;
    int64_t rows = batch.rows();
    for (int64_t begin = 0; begin < rows; begin += kStepRows) {
      encoder_.encode(batch.array, begin, std::min(rows, begin + kStepRows), rows_, &buffer_);
      if (buffer_.size() >= kWriteBytes) flush();
    }
    rows_ += rows;
  }

  void finish() override {
    flush();
    sink_->finish();
  }

  uint64_t bytes_written() const override { return written_; }

 private:
  void flush() {
    sink_->write(buffer_.view());
    written_ += buffer_.size();
    buffer_.clear();
  }

  std::unique_ptr<ByteSink> sink_;
  RowEncoder encoder_;
  yson::Buffer buffer_;
  uint64_t written_ = 0;
  int64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink,
                                             const TableSchema& schema,
                                             const ValueOptions& options) {
  return std::make_unique<RowsWriter>(std::move(sink), schema, options);
}

}  // namespace xwalk::yt
