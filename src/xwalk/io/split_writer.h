#pragma once

#include <string_view>
#include <utility>

#include "xwalk/hub/batch.h"
#include "xwalk/yson/writer.h"

namespace xwalk::io {

/// A writer whose work comes in two parts: encoding a batch, by any thread, and writing the bytes,
/// by one thread at a time and in order. `write` does both.
class SplitWriter : public hub::BatchWriter {
 public:
  /// Appends the bytes of a batch. Safe to call from several threads. Throws Error.
  virtual void encode(hub::Batch batch, yson::Buffer* out) const = 0;
  virtual void write_encoded(std::string_view bytes) = 0;

  void write(hub::Batch batch) override {
    buffer_.clear();
    encode(std::move(batch), &buffer_);
    write_encoded(buffer_.view());
  }

 private:
  yson::Buffer buffer_;
};

}  // namespace xwalk::io
