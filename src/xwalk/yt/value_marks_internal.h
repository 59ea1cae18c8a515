#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "xwalk/yson/block_masks.h"

namespace xwalk::yt {

/// Bytes that may be read without asking from the begin of a field: its key, the size of its value,
/// and a short value.
inline constexpr ptrdiff_t kFieldWindow = 192;

/// Positions of `;` and `}` outside strings in a part of the available bytes. kFieldWindow bytes
/// are readable after each.
class ValueMarks {
 public:
  void forget() { stop_ = nullptr; }
  bool covers(const char* p) const { return p >= base_ && p < stop_; }

  /// Marks from `p` on, which must be outside strings.
  void mark(const char* p, const char* end) {
    places_.resize(kMarkedBytes + yson::kBlock);
    const auto safe = static_cast<size_t>(std::max<ptrdiff_t>(end - p - kFieldWindow, 0));
    const size_t blocks = std::min(safe, kMarkedBytes) / yson::kBlock;
    count_ = yson::mark_value_ends(p, blocks, places_.data());
    base_ = p;
    stop_ = p + blocks * yson::kBlock;
    next_ = 0;
  }

  /// Moves over the marks before `p`, which other hands have read.
  void skip_to(const char* p) {
    while (next_ < count_ && base_ + places_[next_] < p) ++next_;
  }

  /// The byte from which places are counted.
  const char* base() const { return base_; }
  /// The places that are not read yet.
  const uint16_t* next() const { return places_.data() + next_; }
  const uint16_t* end() const { return places_.data() + count_; }
  void set_next(const uint16_t* next) { next_ = static_cast<size_t>(next - places_.data()); }

  /// Bytes that are marked at once; as many rows as that are in flight.
  static constexpr size_t kMarkedBytes = 8192;

 private:
  std::vector<uint16_t> places_;
  const char* base_ = nullptr;
  const char* stop_ = nullptr;
  size_t count_ = 0;
  size_t next_ = 0;
};

}  // namespace xwalk::yt
