#include "xwalk/io/bytes/temporary_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/file_error.h"

namespace xwalk::io {
namespace {

int nameless_file(const std::string& folder) {
  // guard(write): a file without a name, for this user only.
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  // A file system that cannot: a name for a moment.
  std::string pattern = folder + "/xwalk-XXXXXX";
  const int named = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (named < 0) io_error(folder, "cannot make a temporary file", errno);
  // guard(delete): the file that mkostemp has just made.
  ::unlink(pattern.c_str());
  return named;
}

/// Returns the folder for temporary files. `what` is what is made there, for the message.
std::string folder_for(std::string_view what) {
  std::error_code failed;
  const std::string folder = std::filesystem::temp_directory_path(failed).string();
  if (failed) {
    throw Error(ErrorCode::Io,
                fmt::format("cannot make a temporary {}: the folder of TMPDIR cannot be used: {}",
                            what, failed.message()));
  }
  return folder;
}

}  // namespace

TemporaryFile::TemporaryFile() {
  folder_ = folder_for("file");
  descriptor_ = nameless_file(folder_);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

void TemporaryFile::write(const void* bytes, size_t size) {
  const char* from = static_cast<const char*>(bytes);
  size_ += size;
  while (size > 0) {
    const ssize_t put = ::write(descriptor_, from, size);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) io_error(folder_, "cannot write a temporary file", errno);
    from += put;
    size -= static_cast<size_t>(put);
  }
}

int TemporaryFile::release() { return std::exchange(descriptor_, -1); }

TemporaryFolder::TemporaryFolder() {
  path_ = "/dev/shm/xwalk-XXXXXX";
  if (::mkdtemp(path_.data()) != nullptr) return;
  const std::string folder = folder_for("folder");
  path_ = std::filesystem::absolute(folder).string() + "/xwalk-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    io_error(folder, "cannot make a temporary folder", errno, "Name another one by TMPDIR.");
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  // guard(delete): the folder that mkdtemp has made, which only this user may write to.
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace xwalk::io
