#include "xwalk/io/bytes/kept_bytes.h"

#include <utility>

namespace xwalk::io {

struct KeptBytes::State {
  std::shared_ptr<Source> source;
  /// Whether a reader reads the bytes in order. The next one copies them from the window.
  bool is_read = false;
};

namespace {

template <typename State>
class Reader final : public Source {
 public:
  explicit Reader(std::shared_ptr<State> state) : state_(std::move(state)) {}

  const std::string& name() const override { return source().name(); }
  std::optional<std::string_view> contents() override { return source().contents(); }
  bool may_change() const override { return source().may_change(); }
  void consumed(uint64_t offset, uint64_t size) override { source().consumed(offset, size); }
  uint64_t position() const override { return copies_ ? position_ : source().position(); }
  std::optional<uint64_t> size() const override { return source().size(); }
  std::shared_ptr<const Original> original() const override { return source().original(); }
  std::optional<std::string_view> window() override { return source().window(); }
  void need(std::span<const ByteRange> ranges) override { source().need(ranges); }
  void want(std::span<const ByteRange> ranges) override { source().want(ranges); }

  std::string_view peek(size_t size) override {
    copies_ = copies_ || (!is_first_ && state_->is_read);
    if (!copies_) return source().peek(size);
    const std::string_view bytes = source().window()->substr(position_, size);
    const ByteRange range{position_, bytes.size()};
    source().need({&range, 1});
    return bytes;
  }
  size_t read(char* out, size_t size) override {
    copies_ = copies_ || (!is_first_ && state_->is_read);
    if (copies_) {
      const size_t got = peek(size).copy(out, size);
      position_ += got;
      return got;
    }
    is_first_ = state_->is_read = true;
    return source().read(out, size);
  }

 private:
  Source& source() const { return *state_->source; }

  std::shared_ptr<State> state_;
  bool is_first_ = false;
  bool copies_ = false;
  uint64_t position_ = 0;
};

}  // namespace

KeptBytes::KeptBytes(std::shared_ptr<Source> source)
    : state_(std::make_shared<State>(State{std::move(source)})) {}

std::unique_ptr<Source> KeptBytes::open() const {
  if (state_->is_read && !state_->source->window()) return nullptr;
  return std::make_unique<Reader<State>>(state_);
}

}  // namespace xwalk::io
