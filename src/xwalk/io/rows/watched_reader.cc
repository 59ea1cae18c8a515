#include "xwalk/io/rows/watched_reader.h"

#include <utility>

namespace xwalk::io {

/// A piece whose rows are recorded when it is decoded.
class WatchedReader::WatchedPiece final : public PieceOver {
 public:
  WatchedPiece(std::unique_ptr<Piece> piece, const Watch* watch)
      : PieceOver(std::move(piece)), watch_(watch) {}

  hub::Batch decode() override {
    hub::Batch batch = inner_->decode();
    (*watch_)(inner_->file(), batch);
    return batch;
  }

 private:
  const Watch* watch_;
};

WatchedReader::WatchedReader(SplitReader* reader, hub::SeenValues* seen)
    : WatchedReader(reader, [this, seen, empty = *seen](std::string_view, const hub::Batch& batch) {
        hub::SeenValues mine = empty;
        mine.add(batch);
        const std::lock_guard lock(mutex_);
        seen->merge(mine);
      }) {}

std::unique_ptr<Piece> WatchedReader::take() {
  std::unique_ptr<Piece> piece = inner_->take();
  if (piece == nullptr) return nullptr;
  return std::make_unique<WatchedPiece>(std::move(piece), &watch_);
}

}  // namespace xwalk::io
