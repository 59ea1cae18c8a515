#include "xwalk/io/split.h"

#include <utility>

namespace xwalk::io {
namespace {

class DecodedPiece final : public Piece {
 public:
  explicit DecodedPiece(hub::Batch batch) : batch_(std::move(batch)) {}
  hub::Batch decode() override { return std::move(batch_); }

 private:
  hub::Batch batch_;
};

class DecodedReader final : public SplitReader {
 public:
  explicit DecodedReader(std::unique_ptr<hub::BatchReader> reader) : reader_(std::move(reader)) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::unique_ptr<Piece> take() override {
    std::optional<hub::Batch> batch = reader_->next();
    if (!batch) return nullptr;
    rows_ = batch->first_row + batch->rows();
    return std::make_unique<DecodedPiece>(std::move(*batch));
  }
  int64_t rows_taken() const override { return rows_; }
  std::optional<int64_t> total_rows() const override { return reader_->total_rows(); }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }

 private:
  std::unique_ptr<hub::BatchReader> reader_;
  int64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<Piece> decoded(hub::Batch batch) {
  return std::make_unique<DecodedPiece>(std::move(batch));
}

std::unique_ptr<SplitReader> split(std::unique_ptr<hub::BatchReader> reader) {
  if (auto* already = dynamic_cast<SplitReader*>(reader.get())) {
    (void)reader.release();
    return std::unique_ptr<SplitReader>(already);
  }
  return std::make_unique<DecodedReader>(std::move(reader));
}

}  // namespace xwalk::io
