#include "xwalk/io/rows/bounded_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/batch_memory.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/concat.h"
#include "xwalk/hub/filter.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {
namespace {

/// Bytes of plain rows that come at a time.
int64_t divided_batch_bytes(uint64_t memory) {
  constexpr uint64_t kUsual = uint64_t{16} * limits::kBatchBytes;
  const auto least = static_cast<uint64_t>(xwalk::batch_bytes(memory));
  return static_cast<int64_t>(std::clamp(memory / 64, least, kUsual));
}

class DividedReader final : public hub::BatchReader {
 public:
  DividedReader(std::unique_ptr<hub::BatchReader> reader, uint64_t memory)
      : reader_(std::move(reader)),
        type_(hub::struct_(reader_->schema().fields)),
        most_(divided_batch_bytes(memory)),
        most_of_row_(static_cast<int64_t>(decoded_bytes(memory))) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::optional<hub::Batch> next() override {
    std::optional<hub::Batch> batch = std::exchange(rest_, std::nullopt);
    if (!batch) {
      batch = reader_->next();
      if (!batch) return std::nullopt;
      at_a_time_ = batch->rows();
    }
    const int64_t all = batch->rows();
    at_a_time_ = std::min(at_a_time_, all);
    while (at_a_time_ > 1 && bytes_of(*batch, at_a_time_) > most_) at_a_time_ /= 2;
    if (at_a_time_ == 1) check_row(*batch);
    if (at_a_time_ < all) {
      rest_ = hub::slice(*batch, at_a_time_, all - at_a_time_);
      return hub::slice(*std::move(batch), 0, at_a_time_);
    }
    return batch;
  }
  std::optional<int64_t> total_rows() const override { return reader_->total_rows(); }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }

 private:
  int64_t bytes_of(const hub::Batch& batch, int64_t rows) const {
    return hub::plain_bytes(type_, batch.array, 0, rows, most_);
  }

  void check_row(const hub::Batch& batch) const {
    // guard(allocate): A row that takes more than the memory limit is refused before it is decoded.
    if (hub::plain_bytes(type_, batch.array, 0, 1, most_of_row_) <= most_of_row_) return;
    throw Error(ErrorCode::Input,
                fmt::format("expected a row that takes at most {} bytes of memory, found one that "
                            "takes more",
                            most_of_row_),
                {.row = static_cast<uint64_t>(batch.first_row)},
                fmt::format("Raise the limit with {}.", hub::mention(hub::Option::MaxMemory, "N")));
  }

  std::unique_ptr<hub::BatchReader> reader_;
  hub::Type type_;
  int64_t most_;
  int64_t most_of_row_;
  /// What is left of a batch that was divided, and the rows of its parts.
  std::optional<hub::Batch> rest_;
  int64_t at_a_time_ = 0;
};

class BoundedPiece final : public PieceOver {
 public:
  BoundedPiece(std::unique_ptr<Piece> inner, uint64_t memory)
      : PieceOver(std::move(inner)), memory_(memory) {}
  hub::Batch decode() override {
    set_batch_memory_limit(memory_);
    const BatchMemoryScope scope(decoded_bytes(memory_), WhenFull::Fail);
    return inner_->decode();
  }

 private:
  uint64_t memory_;
};

class BoundedReader final : public WrappedReader {
 public:
  BoundedReader(std::unique_ptr<SplitReader> inner, uint64_t memory)
      : WrappedReader(std::move(inner)), memory_(memory) {}

  std::unique_ptr<Piece> take() override {
    // Some readers decode here, and others change the piece before they decode it.
    set_batch_memory_limit(memory_);
    const BatchMemoryScope scope(decoded_bytes(memory_), WhenFull::Fail);
    std::unique_ptr<Piece> piece = inner_->take();
    if (piece == nullptr) return nullptr;
    return std::make_unique<BoundedPiece>(std::move(piece), memory_);
  }
  void lay_out(const RowLayout& accepted) override { inner_->lay_out(accepted); }
  const hub::Schema* kept_schema() const override { return inner_->kept_schema(); }
  std::shared_ptr<OpenedRows> opened_rows() const override { return inner_->opened_rows(); }

 private:
  uint64_t memory_;
};

}  // namespace

std::unique_ptr<hub::BatchReader> divide_batches(std::unique_ptr<hub::BatchReader> reader,
                                                 uint64_t memory) {
  return std::make_unique<DividedReader>(std::move(reader), memory);
}

std::unique_ptr<SplitReader> limit_memory(std::unique_ptr<SplitReader> reader, uint64_t memory) {
  return std::make_unique<BoundedReader>(std::move(reader), memory);
}

}  // namespace xwalk::io
