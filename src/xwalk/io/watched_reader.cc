#include "xwalk/io/watched_reader.h"

#include <utility>

namespace xwalk::io {

/// A piece whose values are looked at when it is decoded.
class WatchedReader::WatchedPiece final : public Piece {
 public:
  WatchedPiece(std::unique_ptr<Piece> piece, WatchedReader* reader)
      : piece_(std::move(piece)), reader_(reader) {}

  hub::Batch decode() override {
    hub::Batch batch = piece_->decode();
    hub::SeenValues mine = reader_->empty_;
    mine.add(batch);
    const std::lock_guard lock(reader_->mutex_);
    reader_->seen_->merge(mine);
    return batch;
  }
  std::string_view file() const override { return piece_->file(); }

 private:
  std::unique_ptr<Piece> piece_;
  WatchedReader* reader_;
};

std::unique_ptr<Piece> WatchedReader::take() {
  std::unique_ptr<Piece> piece = reader_->take();
  if (piece == nullptr) return nullptr;
  return std::make_unique<WatchedPiece>(std::move(piece), this);
}

}  // namespace xwalk::io
