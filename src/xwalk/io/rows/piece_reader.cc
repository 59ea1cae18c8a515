#include "xwalk/io/rows/piece_reader.h"

#include <string>
#include <utility>

#include "xwalk/hub/concat.h"

namespace xwalk::io {
namespace {

/// The count of a larger piece need not be exact.
constexpr int64_t kMostCounted = int64_t{1} << 30;

class DecodedPiece final : public Piece {
 public:
  DecodedPiece(hub::Batch batch, std::string file, int64_t bytes)
      : batch_(std::move(batch)), file_(std::move(file)), bytes_(bytes) {}
  hub::Batch decode() override { return std::move(batch_); }
  std::string_view file() const override { return file_; }
  int64_t bytes() const override { return bytes_; }

 private:
  hub::Batch batch_;
  std::string file_;
  int64_t bytes_;
};

/// Rows of a piece that was decoded.
class PieceOfRows final : public PieceOver {
 public:
  PieceOfRows(hub::Batch batch, std::unique_ptr<Piece> of)
      : PieceOver(std::move(of)), batch_(std::move(batch)) {}
  hub::Batch decode() override { return std::move(batch_); }

 private:
  hub::Batch batch_;
};

class DecodedReader final : public SplitReader {
 public:
  explicit DecodedReader(std::unique_ptr<hub::BatchReader> reader)
      : reader_(std::move(reader)), type_(hub::struct_(reader_->schema().fields)) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::unique_ptr<Piece> take() override {
    std::optional<hub::Batch> batch = reader_->next();
    if (!batch) return nullptr;
    rows_ = batch->first_row + batch->rows();
    const int64_t bytes = hub::plain_bytes(type_, batch->array, 0, batch->rows(), kMostCounted);
    return std::make_unique<DecodedPiece>(std::move(*batch), std::string(), bytes);
  }
  int64_t rows_taken() const override { return rows_; }
  std::optional<int64_t> total_rows() const override { return reader_->total_rows(); }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }

 private:
  std::unique_ptr<hub::BatchReader> reader_;
  hub::Type type_;
  int64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<Piece> decoded(hub::Batch batch, std::string file) {
  return std::make_unique<DecodedPiece>(std::move(batch), std::move(file), 0);
}

std::unique_ptr<Piece> decoded(hub::Batch batch, std::unique_ptr<Piece> of) {
  return std::make_unique<PieceOfRows>(std::move(batch), std::move(of));
}

std::unique_ptr<SplitReader> split(std::unique_ptr<hub::BatchReader> reader) {
  if (auto* already = dynamic_cast<SplitReader*>(reader.get())) {
    (void)reader.release();
    return std::unique_ptr<SplitReader>(already);
  }
  return std::make_unique<DecodedReader>(std::move(reader));
}

}  // namespace xwalk::io
