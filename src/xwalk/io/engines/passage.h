#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "xwalk/base/condition.h"
#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"

namespace xwalk::io {

/// Batches in transit from one thread to another.
class Passage {
 public:
  /// How many batches wait at most.
  static constexpr size_t kWaiting = 2;

  explicit Passage(hub::Schema schema) : schema_(std::move(schema)) {}
  const hub::Schema& schema() const { return schema_; }

  /// Returns false if there is no space within a tenth of a second. `batch` is then unchanged.
  bool put(hub::Array* batch) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kTenth, [&] { return waiting_.size() < kWaiting; })) return false;
    waiting_.push_back(std::move(*batch));
    changed_.notify_all();
    return true;
  }
  /// Ends it; the rows that were put are all there are, or it breaks off.
  void end(bool whole) {
    const std::lock_guard lock(mutex_);
    (whole ? whole_ : broken_) = true;
    changed_.notify_all();
  }
  std::optional<hub::Array> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return broken_ || whole_ || !waiting_.empty(); });
    if (broken_) throw Error(ErrorCode::Interrupted, "the rows were broken off");
    if (waiting_.empty()) return std::nullopt;
    hub::Array batch = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    return batch;
  }

 private:
  static constexpr std::chrono::milliseconds kTenth{100};

  hub::Schema schema_;
  std::mutex mutex_;
  Condition changed_;
  std::deque<hub::Array> waiting_;
  bool whole_ = false;
  bool broken_ = false;
};

class PassageReader final : public hub::BatchReader {
 public:
  explicit PassageReader(std::shared_ptr<Passage> passage) : passage_(std::move(passage)) {}
  const hub::Schema& schema() const override { return passage_->schema(); }
  std::optional<hub::Batch> next() override {
    std::optional<hub::Array> array = passage_->take();
    if (!array) return std::nullopt;
    hub::Batch batch;
    batch.array = std::move(*array);
    return batch;
  }

 private:
  std::shared_ptr<Passage> passage_;
};

}  // namespace xwalk::io
