#include "xwalk/hub/distinct.h"

#include <algorithm>
#include <cmath>

namespace xwalk::hub {

void DistinctValues::settle() {
  std::ranges::sort(hashes_);
  hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  if (hashes_.size() <= kExact) return;
  // The first that is not kept.
  limit_ = hashes_[kExact];
  hashes_.resize(kExact);
}

void DistinctValues::merge(const DistinctValues& other) {
  if (other.limit_ < limit_) {
    limit_ = other.limit_;
    std::erase_if(hashes_, [this](uint64_t hash) { return hash >= limit_; });
  }
  for (const uint64_t hash : other.hashes_) add(hash);
}

DistinctCount DistinctValues::count() const {
  DistinctValues settled = *this;
  settled.settle();
  const auto kept = static_cast<double>(settled.hashes_.size());
  if (settled.limit_ == UINT64_MAX) return {settled.hashes_.size(), false};
  const double share = std::ldexp(static_cast<double>(settled.limit_), -64);
  return {static_cast<uint64_t>(std::llround(kept / share)), true};
}

}  // namespace xwalk::hub
