#pragma once

#include <string>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/row_program_internal.h"

namespace xwalk::yt {

/// Where an encoder writes, with space that is made ahead, and why it stopped.
struct EncodeContext {
  explicit EncodeContext(yson::Buffer* buffer) : buffer_(buffer), count_(buffer) { open(kChunk); }

  /// Makes space for `count` more bytes.
  void need(size_t count) { out = need(out, count); }
  /// Makes space after `end`, and returns the new address of `end`.
  char* need(char* end, size_t count) {
    if (static_cast<size_t>(limit_ - end) < count) [[unlikely]] {
      out = end;
      close();
      buffer_->drain();
      open(count + kChunk);
      return out;
    }
    return end;
  }
  /// Gives the bytes written so far to the buffer, for those who append to it directly; `open`
  /// goes on.
  void close() {
    buffer_->set_end(out);
    count_.all();
  }
  void open(size_t count) {
    out = buffer_->reserve(count);
    limit_ = out + count;
  }
  yson::Buffer* buffer() { return buffer_; }
  yson::BufferCount* count() { return &count_; }

  char* out = nullptr;
  bool skip_nulls = false;
  std::string message;
  /// Innermost first.
  std::vector<Path::Step> path;

  static constexpr size_t kChunk = size_t{1} << 16;

 private:
  yson::Buffer* buffer_;
  char* limit_ = nullptr;
  yson::BufferCount count_;
};

/// Writes one value. There is space for kSpace bytes at `context.out`, and after it for a
/// separator.
template <bool kBinary>
bool put_step(const Step& step, const hub::Array& array, int64_t index, EncodeContext& context);

/// Writes one value.
bool encode_value(const Step& step, const hub::Array& array, int64_t index, bool binary,
                  EncodeContext& context);

}  // namespace xwalk::yt
