#include "xwalk/io/rows/file_range.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// A part of the bytes of another source, whose contents are in memory.
class PartSource final : public Source {
 public:
  PartSource(std::unique_ptr<Source> whole, std::string_view bytes, uint64_t first)
      : whole_(std::move(whole)), bytes_(bytes), first_(first) {}

  std::optional<std::string_view> contents() override { return bytes_; }
  const std::string& name() const override { return whole_->name(); }
  uint64_t position() const override { return whole_->position(); }
  std::optional<uint64_t> size() const override { return bytes_.size(); }
  std::shared_ptr<const Original> original() const override { return whole_->original(); }
  bool may_change() const override { return whole_->may_change(); }
  std::string_view peek(size_t size) override { return bytes_.substr(at_, size); }
  size_t read(char* out, size_t size) override {
    size_t taken = bytes_.copy(out, size, at_);
    consumed(first_ + at_, taken);
    at_ += taken;
    return taken;
  }
  /// Offsets are those of the file: a reader of a part knows where it begins.
  void consumed(uint64_t offset, uint64_t size) override { whole_->consumed(offset, size); }

 private:
  std::unique_ptr<Source> whole_;
  std::string_view bytes_;
  uint64_t first_;
  size_t at_ = 0;
};

}  // namespace

std::unique_ptr<Source> part_source(std::unique_ptr<Source> whole, const Part& part) {
  const auto contents = whole->contents();
  const uint64_t size = contents ? contents->size() : 0;
  if (part.first > size || part.count > size - part.first) {
    throw Error(
        ErrorCode::Input,
        fmt::format("expected a file of {} bytes or more, found {}", part.first + part.count, size),
        {.file = whole->name()}, "The file is no longer what was cut into parts.");
  }
  return std::make_unique<PartSource>(std::move(whole), contents->substr(part.first, part.count),
                                      part.first);
}

}  // namespace xwalk::io
