#include "xwalk/io/rows/piece_reader.h"

#include <string>
#include <utility>

namespace xwalk::io {
namespace {

/// Returns the bytes of some elements, as far as text and lists make them many.
int64_t bytes_of(const hub::Type& type, const hub::Array& array, int64_t begin, int64_t end) {
  using hub::Kind;
  const Kind kind = type.kind();
  if (begin == end) return 0;
  if (kind == Kind::Utf8 || kind == Kind::Binary) {
    return array.end_item(end - 1) - array.first_item(begin);
  }
  if (kind == Kind::LargeUtf8 || kind == Kind::LargeBinary) {
    return array.values<int64_t>()[end] - array.values<int64_t>()[begin];
  }
  if (kind == Kind::List || kind == Kind::Map) {
    return bytes_of(type.child().type, array.children[0], array.first_item(begin),
                    array.end_item(end - 1));
  }
  if (kind != Kind::Struct) return 8 * (end - begin);
  int64_t sum = 0;
  for (size_t i = 0; i < array.children.size(); ++i) {
    sum += bytes_of(type.child(i).type, array.children[i], array.slot(begin), array.slot(end));
  }
  return sum;
}

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
    const int64_t bytes = bytes_of(type_, batch->array, 0, batch->rows());
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
