#include "xwalk/io/bytes/folder_at.h"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace xwalk::io {

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

FileAt open_folder(const std::string& path, size_t given, bool makes) {
  const std::string named = path.substr(0, given);
  // guard(follow): links in the part of the name that the user gave; none in the rest.
  FileAt out = FileAt::followed(named.empty() ? "." : named.c_str(), O_PATH | O_DIRECTORY);
  for (const std::filesystem::path& step : std::filesystem::path(path.substr(named.size()))) {
    if (!out) break;
    if (step.empty() || step == "/") continue;
    if (makes && ::mkdirat(out.descriptor(), step.c_str(), 0777) != 0 && errno != EEXIST) {
      return {};
    }
    out = FileAt(out.descriptor(), step.c_str(), O_PATH | O_DIRECTORY);
  }
  return out;
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
