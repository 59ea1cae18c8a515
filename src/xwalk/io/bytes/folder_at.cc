#include "xwalk/io/bytes/folder_at.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <ranges>
#include <set>
#include <string_view>
#include <unistd.h>

#include "xwalk/base/error.h"
#include "xwalk/base/fork.h"

namespace xwalk::io {
namespace {

/// All that live, for a process that ends without their destructors.
struct LiveFolders {
  LiveFolders() { free_in_forks(&mutex); }
  std::mutex mutex;
  std::set<const MadeFolders*> folders;
  bool abandoned = false;
};

LiveFolders& live_folders() {
  static auto* const instance = new LiveFolders;  // outlives every writer
  return *instance;
}

}  // namespace

FileAt::FileAt(int folder, const char* name, int flags, mode_t mode)
    : descriptor_(::openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)) {}

FileAt FileAt::followed(const char* path, int flags) {
  FileAt out;
  out.descriptor_ = ::open(path, flags | O_CLOEXEC);
  return out;
}

FileAt::~FileAt() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileAt open_folder(const std::string& path, size_t given, std::vector<std::string>* made) {
  const std::string named = path.substr(0, given);
  // guard(follow): links in the part of the name that the user gave; none in the rest.
  FileAt out = FileAt::followed(named.empty() ? "." : named.c_str(), O_PATH | O_DIRECTORY);
  std::filesystem::path at = named;
  for (const std::filesystem::path& step : std::filesystem::path(path.substr(named.size()))) {
    if (!out) break;
    if (step.empty() || step == "/") continue;
    at /= step;
    if (made != nullptr) {
      if (::mkdirat(out.descriptor(), step.c_str(), 0777) == 0) {
        made->push_back(at);
      } else if (errno != EEXIST) {
        return {};
      }
    }
    out = FileAt(out.descriptor(), step.c_str(), O_PATH | O_DIRECTORY);
  }
  return out;
}

MadeFolders::MadeFolders() {
  const std::lock_guard guard(live_folders().mutex);
  live_folders().folders.insert(this);
}

MadeFolders::~MadeFolders() {
  const std::lock_guard guard(live_folders().mutex);
  live_folders().folders.erase(this);
  remove();
}

FileAt MadeFolders::open(const std::string& path, size_t given) {
  const std::lock_guard guard(live_folders().mutex);
  if (live_folders().abandoned) throw Error(ErrorCode::Interrupted, "interrupted");
  return open_folder(path, given, &made_);
}

void MadeFolders::remove() const {
  for (const std::string& folder : std::views::reverse(made_)) {
    // guard(delete): an empty folder that this object made.
    ::rmdir(folder.c_str());
  }
}

void abandon_folders() {
  const std::lock_guard guard(live_folders().mutex);
  live_folders().abandoned = true;
  for (const MadeFolders* folders : live_folders().folders) folders->remove();
}

std::vector<std::string> names_at(int folder) {
  std::vector<std::string> out;
  const int listed = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = listed < 0 ? nullptr : ::fdopendir(listed);
  if (entries == nullptr) {
    if (listed >= 0) ::close(listed);
    return out;
  }
  while (const dirent* entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") out.emplace_back(name);
  }
  ::closedir(entries);
  return out;
}

bool is_still_at(int folder, const char* name, const struct stat& status) {
  struct stat now {};
  return ::fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_dev == status.st_dev &&
         now.st_ino == status.st_ino;
}

void remove_contents(int folder) {
  struct stat outer {};
  if (::fstat(folder, &outer) != 0) return;
  for (const std::string& name : names_at(folder)) {
    // guard(delete): in a folder that this user's process made, by descriptor, without links.
    if (::unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT) continue;
    const FileAt inner(folder, name.c_str(), O_RDONLY | O_DIRECTORY);
    struct stat status {};
    if (!inner || ::fstat(inner.descriptor(), &status) != 0 || status.st_dev != outer.st_dev) {
      continue;
    }
    remove_contents(inner.descriptor());
    ::unlinkat(folder, name.c_str(), AT_REMOVEDIR);
  }
}

}  // namespace xwalk::io
