#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "xwalk/hub/seen.h"
#include "xwalk/io/rows/piece_reader.h"

namespace xwalk::io {

/// A reader whose batches are recorded in the threads that decode them.
class WatchedReader final : public SplitReader {
 public:
  /// Takes a batch and the file that it is of, as `Piece::file`. Called by several threads at once.
  using Watch = std::function<void(std::string_view file, const hub::Batch& batch)>;

  /// The reader must outlive this and its pieces.
  WatchedReader(SplitReader* reader, Watch watch) : reader_(reader), watch_(std::move(watch)) {}
  /// `seen` receives the statistics. It must be of the reader's schema and empty, and must outlive
  /// this object.
  WatchedReader(SplitReader* reader, hub::SeenValues* seen);

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
  Watch watch_;
  std::mutex mutex_;
};

}  // namespace xwalk::io
