#include "xwalk/duckdb/queue.h"

#include <utility>

namespace xwalk::duckdb {

bool Queue::give(hub::Batch batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return left_ || batches_.size() < kMost; });
  if (left_) return false;
  batches_.push_back(std::move(batch));
  changed_.notify_all();
  return true;
}

void Queue::end(std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  ended_ = true;
  error_ = std::move(error);
  changed_.notify_all();
}

std::optional<hub::Batch> Queue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || !batches_.empty(); });
  if (error_) std::rethrow_exception(error_);
  if (batches_.empty()) return std::nullopt;
  hub::Batch batch = std::move(batches_.front());
  batches_.pop_front();
  changed_.notify_all();
  return batch;
}

void Queue::leave() {
  const std::scoped_lock lock(mutex_);
  left_ = true;
  changed_.notify_all();
}

}  // namespace xwalk::duckdb
