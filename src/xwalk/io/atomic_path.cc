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

/// Returns 0 or errno.
int rename_over(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// The same, but EEXIST where the name is taken.
int rename_anew(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system that knows no such renaming: a second name for a file, then away with the first.
  std::error_code ignored;
  if (fs::is_directory(from, ignored)) {
    return fs::exists(to, ignored) ? EEXIST : rename_over(from, to);
  }
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return 0;
  }
  if (errno == EEXIST || fs::exists(to, ignored)) return EEXIST;
  return rename_over(from, to);  // nor links
}

}  // namespace

AtomicPath::AtomicPath(std::string path, bool replaces)
    : path_(std::move(path)), replaces_(replaces) {
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
  const int code = replaces_ ? rename_over(temporary_, path_) : rename_anew(temporary_, path_);
  if (code != 0) {
    Place place;
    place.file = path_;
    if (code == EEXIST || code == ENOTEMPTY) {
      throw Error(ErrorCode::Io, "the name was taken while the output was written", place,
                  "Nothing was replaced, and the output is gone: choose another name.");
    }
    throw Error(ErrorCode::Io,
                std::string("cannot rename the finished output: ") + std::strerror(code), place);
  }
  committed_ = true;
  if (durable) sync_folder(fs::path(path_).parent_path());
}

}  // namespace xwalk::io
