#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "xwalk/base/byte_stream.h"

namespace xwalk::yt {

/// A source that hands out at most `step` bytes at a time.
class StepSource final : public ByteSource {
 public:
  StepSource(std::string bytes, size_t step) : bytes_(std::move(bytes)), step_(step) {}

  size_t read(char* out, size_t size) override {
    size_t count = std::min({size, step_, bytes_.size() - position_});
    bytes_.copy(out, count, position_);
    position_ += count;
    return count;
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return position_; }

 private:
  std::string name_ = "rows.yson";
  std::string bytes_;
  size_t step_;
  size_t position_ = 0;
};

/// A source whose bytes are in memory.
class WholeSource final : public ByteSource {
 public:
  explicit WholeSource(std::string bytes) : bytes_(std::move(bytes)) {}

  size_t read(char*, size_t) override { return 0; }
  const std::string& name() const override { return name_; }
  std::optional<std::string_view> contents() override { return bytes_; }
  uint64_t position() const override { return bytes_.size(); }

 private:
  std::string name_ = "rows.yson";
  std::string bytes_;
};

/// A sink that appends to a string of the caller.
class StringSink final : public ByteSink {
 public:
  explicit StringSink(std::string* out) : out_(out) {}

  void write(std::string_view bytes) override { *out_ += bytes; }
  void finish() override {}
  uint64_t position() const override { return out_->size(); }

 private:
  std::string* out_;
};

}  // namespace xwalk::yt
