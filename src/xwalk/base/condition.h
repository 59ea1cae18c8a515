#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace xwalk {

/// A std::condition_variable with another `wait`: that of GCC 12 needs the symbol version
/// GLIBCXX_3.4.30, and wheels could then not be installed where libstdc++ is that of GCC 11.
class Condition : private std::condition_variable {
 public:
  using std::condition_variable::notify_all;
  using std::condition_variable::notify_one;
  using std::condition_variable::wait_for;
  using std::condition_variable::wait_until;

  /// May return early, as every wait may.
  void wait(std::unique_lock<std::mutex>& lock) { wait_for(lock, std::chrono::hours(1)); }

  template <typename Predicate>
  void wait(std::unique_lock<std::mutex>& lock, Predicate is_done) {
    while (!is_done()) wait(lock);
  }
};

}  // namespace xwalk
