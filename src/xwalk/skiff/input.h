#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "xwalk/base/byte_stream.h"

namespace xwalk::skiff {

/// A window on a stream of bytes. Bytes that were read but not consumed are contiguous. Memory
/// grows with the bytes received, never with a length that they claim.
class Input {
 public:
  /// Reads from memory, which must outlive the input.
  explicit Input(std::string_view bytes);
  /// Reads from a source, which must outlive the input. A source in memory is not copied, unless it
  /// may change: rows are decoded in two passes.
  explicit Input(ByteSource& source);
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// Makes at least `size` bytes available; false if the stream ends before. Pointers into the
  /// window are invalid afterwards.
  bool ensure(size_t size) { return available() >= size || fill(size); }
  size_t available() const { return static_cast<size_t>(end_ - at_); }
  const char* data() const { return at_; }
  /// Takes bytes that are available.
  void advance(size_t size) { at_ += size; }
  /// Returns the offset in the stream of the first byte not taken.
  uint64_t position() const { return base_ + static_cast<uint64_t>(at_ - begin_); }

 private:
  bool fill(size_t size);

  ByteSource* source_ = nullptr;
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  /// Offset in the stream of `begin_`.
  uint64_t base_ = 0;
};

}  // namespace xwalk::skiff
