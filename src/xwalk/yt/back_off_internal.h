#pragma once

#include <algorithm>
#include <cstdint>

namespace xwalk::yt {

/// Skips attempts after failures, twice as many after each failure.
class BackOff {
 public:
  /// Returns true if the next attempt is due, and counts it as skipped otherwise.
  bool is_due() {
    if (wait_ == 0) return true;
    --wait_;
    return false;
  }
  void fail() { wait_ = penalty_ = std::min<int64_t>(penalty_ * 2 + 1, 1024); }
  void succeed() { penalty_ /= 2; }

 private:
  int64_t wait_ = 0;
  int64_t penalty_ = 0;
};

}  // namespace xwalk::yt
