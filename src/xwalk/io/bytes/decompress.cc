#include "xwalk/io/bytes/decompress.h"

#include <algorithm>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

/// Stored bytes taken at a time, and the most that `peek` gives.
constexpr size_t kStoredBlock = size_t{64} << 10;

/// What both formats share: blocks of the stored bytes, and the bytes that were peeked at.
class Decompressor : public Source {
 public:
  explicit Decompressor(std::unique_ptr<Source> stored)
      : stored_(std::move(stored)), input_(kStoredBlock, '\0') {}

  const std::string& name() const override { return stored_->name(); }
  uint64_t position() const override { return stored_->position(); }
  std::optional<uint64_t> size() const override { return stored_->size(); }
  std::shared_ptr<const Original> original() const override { return stored_->original(); }

  std::string_view peek(size_t size) override {
    size = std::min(size, kStoredBlock);
    if (ahead_from_ > 0) {
      ahead_.erase(0, ahead_from_);
      ahead_from_ = 0;
    }
    while (ahead_.size() < size) {
      size_t had = ahead_.size();
      // guard(allocate): Bytes that are looked at have the size of a block at most.
      ahead_.resize(size);
      size_t got = inflate(ahead_.data() + had, size - had);
      ahead_.resize(had + got);
      if (got == 0) break;
    }
    return std::string_view(ahead_).substr(0, size);
  }

  size_t read(char* out, size_t size) override {
    if (ahead_from_ < ahead_.size()) {
      size_t taken = std::min(size, ahead_.size() - ahead_from_);
      ahead_.copy(out, taken, ahead_from_);
      ahead_from_ += taken;
      return taken;
    }
    return inflate(out, size);
  }

 protected:
  /// Fills up to `size` bytes; 0 only at the end.
  virtual size_t inflate(char* out, size_t size) = 0;

  /// Makes the next stored bytes the input; returns false at the end of them.
  bool refill() {
    available_ = stored_->read(input_.data(), input_.size());
    at_ = 0;
    return available_ > 0;
  }

  [[noreturn]] void damaged(std::string message, std::string hint = "") const {
    throw Error(ErrorCode::Input, std::move(message),
                {.file = stored_->name(), .byte = stored_->position() - (available_ - at_)},
                std::move(hint));
  }

  std::unique_ptr<Source> stored_;
  std::string input_;
  size_t at_ = 0;
  size_t available_ = 0;

 private:
  std::string ahead_;
  size_t ahead_from_ = 0;
};

class GzipSource final : public Decompressor {
 public:
  explicit GzipSource(std::unique_ptr<Source> stored) : Decompressor(std::move(stored)) {
    // 16 more than the window's bits asks zlib for the gzip wrapping.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) {
      throw Error(ErrorCode::Internal, "zlib could not be started");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  size_t inflate(char* out, size_t size) override {
    size = std::min(size, size_t{1} << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (at_ == available_ && !refill()) {
        if (in_member_) damaged("the gzip stream ends early", kFetchAgain);
        return 0;
      }
      if (!in_member_) {
        inflateReset(&stream_);
        in_member_ = true;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + at_);
      stream_.avail_in = static_cast<uInt>(available_ - at_);
      int code = ::inflate(&stream_, Z_NO_FLUSH);
      at_ = available_ - stream_.avail_in;
      if (code == Z_STREAM_END) {
        in_member_ = false;
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        damaged(std::string("the gzip stream is damaged: ") +
                (stream_.msg != nullptr ? stream_.msg : "unknown cause"));
      }
    }
    return size - stream_.avail_out;
  }

  z_stream stream_{};
  bool in_member_ = false;
};

class ZstdSource final : public Decompressor {
 public:
  explicit ZstdSource(std::unique_ptr<Source> stored)
      : Decompressor(std::move(stored)), stream_(ZSTD_createDStream()) {
    // The input determines the size of the window; `zstd -d` allows 128 MiB by default.
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, 27);
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

 private:
  size_t inflate(char* out, size_t size) override {
    ZSTD_outBuffer output{out, size, 0};
    while (output.pos == 0) {
      if (at_ == available_ && !refill()) {
        if (in_frame_) damaged("the zstd stream ends early", kFetchAgain);
        return 0;
      }
      ZSTD_inBuffer input{input_.data(), available_, at_};
      size_t code = ZSTD_decompressStream(stream_, &output, &input);
      at_ = input.pos;
      if (ZSTD_isError(code) != 0) {
        damaged(std::string("the zstd stream is damaged: ") + ZSTD_getErrorName(code));
      }
      in_frame_ = code != 0;
    }
    return output.pos;
  }

  ZSTD_DStream* stream_;
  bool in_frame_ = false;
};

}  // namespace

std::unique_ptr<Source> decompress(std::unique_ptr<Source> source, Compression compression) {
  switch (compression) {
    case Compression::None:
      return source;
    case Compression::Gzip:
      return std::make_unique<GzipSource>(std::move(source));
    case Compression::Zstd:
      return std::make_unique<ZstdSource>(std::move(source));
  }
  return source;
}

}  // namespace xwalk::io
