#include "xwalk/base/random_access.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk {
namespace {

void check_range(const RandomAccess& bytes, uint64_t offset, uint64_t size) {
  if (offset <= bytes.size() && size <= bytes.size() - offset) return;
  throw Error(
      ErrorCode::Input,
      fmt::format("expected {} bytes at {}, found a file of {} bytes", size, offset, bytes.size()),
      {.file = bytes.name()});
}

class FileAccess : public RandomAccess {
 public:
  explicit FileAccess(const std::string& path) : name_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("opened");
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) {
      int error = errno;
      ::close(descriptor_);
      errno = error;
      fail("read");
    }
    size_ = static_cast<uint64_t>(status.st_size);
  }
  ~FileAccess() override { ::close(descriptor_); }
  FileAccess(const FileAccess&) = delete;
  FileAccess& operator=(const FileAccess&) = delete;

  uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }

  std::string read(uint64_t offset, uint64_t size) const override {
    check_range(*this, offset, size);
    std::string out(size, '\0');
    size_t done = 0;
    while (done < out.size()) {
      ssize_t count = ::pread(descriptor_, out.data() + done, out.size() - done,
                              static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("read");
      if (count == 0) {
        throw Error(ErrorCode::Input, "the file became shorter while it was read", {.file = name_});
      }
      done += static_cast<size_t>(count);
    }
    return out;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorCode::Io, fmt::format("cannot be {}: {}", what, std::strerror(errno)),
                {.file = name_});
  }

  std::string name_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

class MemoryAccess : public RandomAccess {
 public:
  MemoryAccess(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }
  std::string read(uint64_t offset, uint64_t size) const override {
    check_range(*this, offset, size);
    return std::string(bytes_.substr(offset, size));
  }

 private:
  std::string_view bytes_;
  std::string name_;
};

}  // namespace

std::unique_ptr<RandomAccess> open_random_access(const std::string& path) {
  return std::make_unique<FileAccess>(path);
}

std::unique_ptr<RandomAccess> memory_access(std::string_view bytes, std::string name) {
  return std::make_unique<MemoryAccess>(bytes, std::move(name));
}

}  // namespace xwalk
