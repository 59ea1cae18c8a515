#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "xwalk/hub/seen.h"
#include "xwalk/io/rows/wrapped_reader.h"

namespace xwalk::io {

/// A reader whose batches are recorded in the threads that decode them.
class WatchedReader final : public WrappedReader {
 public:
  /// Takes a batch and the file that it is of, as `Piece::file`. Called by several threads at once.
  using Watch = std::function<void(std::string_view file, const hub::Batch& batch)>;

  /// The reader must outlive this and its pieces.
  WatchedReader(SplitReader* reader, Watch watch)
      : WrappedReader(reader), watch_(std::move(watch)) {}
  /// `seen` receives the statistics. It must be of the reader's schema and empty, and must outlive
  /// this object.
  WatchedReader(SplitReader* reader, hub::SeenValues* seen);

  std::unique_ptr<Piece> take() override;

 private:
  class WatchedPiece;

  Watch watch_;
  std::mutex mutex_;
};

}  // namespace xwalk::io
