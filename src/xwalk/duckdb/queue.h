#pragma once

#include <deque>
#include <exception>
#include <mutex>
#include <optional>

#include "xwalk/base/condition.h"
#include "xwalk/hub/batch.h"

namespace xwalk::duckdb {

/// A few batches between a producer and a consumer thread.
class Queue {
 public:
  /// Waits for space. Returns false once the consumer has left.
  bool give(hub::Batch batch);
  /// Ends the rows; with an error, the taker gets that.
  void end(std::exception_ptr error = nullptr);

  /// Waits for a batch; nothing at the end. Throws the giver's error.
  std::optional<hub::Batch> take();
  /// Called when the consumer stops.
  void leave();

 private:
  static constexpr size_t kMost = 4;

  std::mutex mutex_;
  Condition changed_;
  std::deque<hub::Batch> batches_;
  std::exception_ptr error_;
  bool ended_ = false;
  bool left_ = false;
};

}  // namespace xwalk::duckdb
