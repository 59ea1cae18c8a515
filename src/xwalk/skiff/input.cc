#include "xwalk/skiff/input.h"

#include <algorithm>
#include <cstring>

namespace xwalk::skiff {
namespace {

/// Bytes asked from a source at a time: large against the cost of a call, small against the cache.
constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

Input::Input(std::string_view bytes)
    : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

Input::Input(ByteSource& source) {
  std::optional<std::string_view> bytes = source.contents();
  if (bytes && !source.may_change()) {
    begin_ = at_ = bytes->data();
    end_ = begin_ + bytes->size();
  } else {
    source_ = &source;
  }
}

bool Input::fill(size_t size) {
  if (source_ == nullptr) return false;
  size_t kept = available();
  base_ += static_cast<uint64_t>(at_ - begin_);
  if (kept > 0 && at_ != buffer_.get()) std::memmove(buffer_.get(), at_, kept);
  size_t filled = kept;
  bool ended = false;
  while (filled < size && !ended) {
    // Doubling follows the bytes that came: a claimed length alone allocates nothing.
    const size_t wanted = std::min(size - filled, std::max(kReadBytes, filled));
    if (capacity_ < filled + wanted) {
      const size_t capacity = filled + std::max(kReadBytes, filled);
      // Not initialised: only bytes that were read are accessed.
      // guard(allocate): Bytes that are read grow with those that have come.
      auto larger = std::make_unique_for_overwrite<char[]>(capacity);
      if (filled > 0) std::memcpy(larger.get(), buffer_.get(), filled);
      buffer_ = std::move(larger);
      capacity_ = capacity;
    }
    size_t count = source_->read(buffer_.get() + filled, capacity_ - filled);
    ended = count == 0;
    filled += count;
  }
  begin_ = at_ = buffer_.get();
  end_ = begin_ + filled;
  return filled >= size;
}

}  // namespace xwalk::skiff
