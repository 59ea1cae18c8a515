#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "xwalk/hub/seen.h"
#include "xwalk/io/split.h"

namespace xwalk::io {

/// A reader whose values are looked at on the way, where they are decoded: on all threads.
class WatchedReader final : public SplitReader {
 public:
  /// `seen` takes what is seen; it must be of the reader's schema and have seen nothing. Both must
  /// outlive this and its pieces.
  WatchedReader(SplitReader* reader, hub::SeenValues* seen)
      : reader_(reader), empty_(*seen), seen_(seen) {}

  const hub::Schema& schema() const override { return reader_->schema(); }
  std::optional<int64_t> total_rows() const override { return reader_->total_rows(); }
  uint64_t bytes_read() const override { return reader_->bytes_read(); }
  std::optional<uint64_t> total_bytes() const override { return reader_->total_bytes(); }
  int64_t rows_taken() const override { return reader_->rows_taken(); }
  Notes notes() const override { return reader_->notes(); }
  std::unique_ptr<Piece> take() override;

 private:
  class WatchedPiece;

  SplitReader* reader_;
  const hub::SeenValues empty_;
  hub::SeenValues* seen_;
  std::mutex mutex_;
};

}  // namespace xwalk::io
