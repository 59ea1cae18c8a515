#pragma once

#include <chrono>
#include <mutex>

#include "xwalk/base/condition.h"
#include "xwalk/io/bytes/interruptible_wait.h"

namespace xwalk::io {

/// Time between two calls of the caller's check.
inline constexpr auto kLookInterval = std::chrono::milliseconds(100);

/// Calls the caller's check while this thread waits.
inline void ask() {
  if (waiting() != nullptr && waiting()->ask) waiting()->ask();
}

/// Waits under a lock, and looks up meanwhile.
template <typename Predicate>
void wait_until(std::unique_lock<std::mutex>& lock, Condition& changed, Predicate condition) {
  if (waiting() == nullptr || !waiting()->ask) return changed.wait(lock, condition);
  while (!changed.wait_for(lock, kLookInterval, condition)) {
    lock.unlock();
    ask();
    lock.lock();
  }
}

/// A lock whose waiters look up meanwhile. The thread sanitizer of g++ 12 sees it, which it does
/// not of a timed mutex.
class PatientLock {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    wait_until(lock, freed_, [&] { return !taken_; });
    taken_ = true;
  }
  void unlock() {
    {
      const std::lock_guard lock(mutex_);
      taken_ = false;
    }
    freed_.notify_one();
  }

 private:
  std::mutex mutex_;
  Condition freed_;
  bool taken_ = false;
};

}  // namespace xwalk::io
