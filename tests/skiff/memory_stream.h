#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "xwalk/base/byte_stream.h"
#include "xwalk/skiff/values.h"

namespace xwalk::skiff::testing {

/// Bytes in memory: as a whole when `step` is 0, else given out a few at a time.
class MemorySource : public ByteSource {
 public:
  MemorySource(std::string_view bytes, size_t step) : bytes_(bytes), step_(step) {}
  size_t read(char* out, size_t size) override {
    size_t count = std::min({size, step_, bytes_.size() - at_});
    bytes_.copy(out, count, at_);
    at_ += count;
    return count;
  }
  std::optional<std::string_view> contents() override {
    if (step_ == 0) return bytes_;
    return std::nullopt;
  }
  const std::string& name() const override { return name_; }
  uint64_t position() const override { return at_; }

 private:
  std::string_view bytes_;
  size_t step_;
  size_t at_ = 0;
  std::string name_ = "memory";
};

class MemorySink : public ByteSink {
 public:
  explicit MemorySink(std::string* out) : out_(out) {}
  void write(std::string_view bytes) override { out_->append(bytes); }
  void finish() override {}
  uint64_t position() const override { return out_->size(); }

 private:
  std::string* out_;
};

/// Skiff to Arrow and back.
inline std::string decode_to_bytes(const Schema& schema, std::string_view bytes, size_t step) {
  std::string out;
  auto reader = read_rows(std::make_unique<MemorySource>(bytes, step), schema);
  auto writer = write_rows(std::make_unique<MemorySink>(&out), schema);
  while (std::optional<hub::Batch> batch = reader->next()) writer->write(std::move(*batch));
  writer->finish();
  return out;
}

}  // namespace xwalk::skiff::testing
