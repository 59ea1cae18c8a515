#include "xwalk/io/atomic_path.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// Returns a name in the folder of `path` that no other output of this machine takes.
std::string beside(const fs::path& path) {
  static std::atomic<unsigned> counter = 0;
  fs::path name = fmt::format(".{}.xwalk-{}-{}", path.filename().string(), ::getpid(), counter++);
  return (path.parent_path() / name).string();
}

void sync_folder(const fs::path& folder) {
  std::string name = folder.empty() ? "." : folder.string();
  int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that cannot be opened cannot be synced either
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicPath::AtomicPath(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  // A link keeps pointing where it points: its target is what is replaced.
  if (fs::is_symlink(path_, ignored)) {
    fs::path target = fs::weakly_canonical(path_, ignored);
    if (!ignored) path_ = target.string();
  }
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  temporary_ = beside(path_);
}

AtomicPath::~AtomicPath() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(temporary_, ignored);
}

void AtomicPath::commit(bool durable) {
  std::error_code ignored;
  std::string old;
  // A folder cannot be renamed over a folder that holds something.
  if (fs::is_directory(path_, ignored) && fs::is_directory(temporary_, ignored)) {
    old = beside(path_);
    if (std::rename(path_.c_str(), old.c_str()) != 0) old.clear();
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    int code = errno;
    if (!old.empty()) (void)std::rename(old.c_str(), path_.c_str());
    Place place;
    place.file = path_;
    throw Error(ErrorCode::Io,
                std::string("cannot rename the finished output: ") + std::strerror(code), place);
  }
  committed_ = true;
  if (durable) sync_folder(fs::path(path_).parent_path());
  if (!old.empty()) fs::remove_all(old, ignored);
}

}  // namespace xwalk::io
