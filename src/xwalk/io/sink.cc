#include "xwalk/io/sink.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/io/atomic_path.h"
#include "xwalk/io/compress.h"

namespace xwalk::io {
namespace {

/// Small writes are gathered up to this many bytes.
constexpr size_t kBuffer = size_t{256} << 10;

/// Writes to a descriptor, gathering small writes.
class DescriptorSink : public ByteSink {
 public:
  DescriptorSink(int descriptor, std::string name)
      : descriptor_(descriptor), name_(std::move(name)) {}

  void write(std::string_view bytes) override {
    position_ += bytes.size();
    if (buffer_.size() + bytes.size() > kBuffer) flush();
    if (bytes.size() >= kBuffer) {
      put(bytes);
    } else {
      buffer_ += bytes;
    }
  }
  void finish() override { flush(); }
  uint64_t position() const override { return position_; }

 protected:
  void flush() {
    put(buffer_);
    buffer_.clear();
  }

  [[noreturn]] void fail(const std::string& what, int code) const {
    Place place;
    place.file = name_;
    throw Error(code == EPIPE ? ErrorCode::ClosedPipe : ErrorCode::Io,
                what + ": " + std::strerror(code), place);
  }

  int descriptor_;
  std::string name_;

 private:
  void put(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("cannot write", errno);
      bytes.remove_prefix(static_cast<size_t>(put));
    }
  }

  std::string buffer_;
  uint64_t position_ = 0;
};

/// Owns its descriptor; for a pipe or a device that is opened by name.
class InPlaceSink final : public DescriptorSink {
 public:
  explicit InPlaceSink(const std::string& path)
      : DescriptorSink(::open(path.c_str(), O_WRONLY | O_CLOEXEC), path) {
    if (descriptor_ < 0) fail("cannot open for writing", errno);
  }
  ~InPlaceSink() override { ::close(descriptor_); }
};

class FileSink final : public DescriptorSink {
 public:
  FileSink(const std::string& path, bool durable)
      : DescriptorSink(-1, path), path_(path), durable_(durable) {
    descriptor_ = ::open(path_.temporary().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("cannot create", errno);
    // An output that is replaced keeps its permissions.
    struct stat old {};
    if (::stat(path_.path().c_str(), &old) == 0) (void)::fchmod(descriptor_, old.st_mode & 07777);
  }
  ~FileSink() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void finish() override {
    flush();
    if (durable_ && ::fsync(descriptor_) != 0) fail("cannot sync", errno);
    // Some file systems report a failed write only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write", errno);
    path_.commit(durable_);
  }

 private:
  AtomicPath path_;
  bool durable_;
};

class MemorySink final : public ByteSink {
 public:
  explicit MemorySink(std::string* out) : out_(out) {}
  void write(std::string_view bytes) override { *out_ += bytes; }
  void finish() override {}
  uint64_t position() const override { return out_->size(); }

 private:
  std::string* out_;
};

std::unique_ptr<ByteSink> open_stored(const std::string& path, bool durable) {
  if (path == "-") return std::make_unique<DescriptorSink>(STDOUT_FILENO, "<stdout>");
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return std::make_unique<InPlaceSink>(path);
  }
  return std::make_unique<FileSink>(path, durable);
}

}  // namespace

std::unique_ptr<ByteSink> open_sink(const std::string& path, const SinkOptions& options) {
  Compression compression = options.compression.value_or(compression_of_name(path));
  return compress(open_stored(path, options.durable), compression, options.level);
}

std::unique_ptr<ByteSink> memory_sink(std::string* out) {
  return std::make_unique<MemorySink>(out);
}

void write_file(const std::string& path, std::string_view bytes, const SinkOptions& options) {
  auto sink = open_sink(path, options);
  sink->write(bytes);
  sink->finish();
}

}  // namespace xwalk::io
