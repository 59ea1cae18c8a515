#include "xwalk/io/summed_source.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/sha256.h"

namespace xwalk::io {
namespace {

/// Gives bytes in order only, so that all of them are seen, and seen once.
class SummedSource final : public Source {
 public:
  SummedSource(std::unique_ptr<Source> source, std::string expected)
      : source_(std::move(source)), expected_(std::move(expected)) {}

  const std::string& name() const override { return source_->name(); }
  uint64_t position() const override { return source_->position(); }
  std::optional<uint64_t> size() const override { return source_->size(); }
  std::string_view peek(size_t size) override { return source_->peek(size); }
  std::shared_ptr<const Original> original() const override { return source_->original(); }

  size_t read(char* out, size_t size) override {
    const size_t got = source_->read(out, size);
    if (got > 0) {
      sum_.add({out, got});
    } else if (size > 0 && !std::exchange(ended_, true)) {
      check();
    }
    return got;
  }

 private:
  void check() {
    const std::string found = sum_.finish();
    if (found == expected_) return;
    Place place;
    place.file = source_->name();
    throw Error(ErrorCode::Input,
                fmt::format("expected bytes whose SHA-256 is {}, found {}", expected_, found),
                std::move(place));
  }

  std::unique_ptr<Source> source_;
  std::string expected_;
  Sha256 sum_;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Source> summed_source(std::unique_ptr<Source> source, std::string sha256) {
  return std::make_unique<SummedSource>(std::move(source), std::move(sha256));
}

}  // namespace xwalk::io
