#include "xwalk/cli/project_trust.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/cli/project_file.h"
#include "xwalk/io/bytes/place_limit.h"

namespace xwalk::cli {
namespace {

namespace fs = std::filesystem;

/// Throws the error about a file that exists and cannot be used.
[[noreturn]] void refuse_file(const fs::path& path, const std::string& found) {
  throw Error(ErrorCode::Io, "expected a file that you may read, found " + found,
              {.file = path.string()}, "Make it one, or remove it.");
}

/// Returns 0 for a name that exists, of any kind, also a link that leads nowhere; ENOENT for one
/// that does not; else the errno that hides whether it exists.
int look_for(const fs::path& path) {
  struct stat file {};
  if (::lstat(path.c_str(), &file) == 0) return 0;
  return errno == ENOTDIR ? ENOENT : errno;
}

/// Throws Error (Io) for everything but a file that the user may read, so that one that exists
/// never counts as missing.
void need_readable(const fs::path& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) {
    const int failure = errno;
    if (failure == ENOENT || failure == ENOTDIR) refuse_file(path, "a link that leads nowhere");
    refuse_file(path, "one that cannot be reached: " + std::generic_category().message(failure));
  }
  if (S_ISDIR(file.st_mode)) refuse_file(path, "a folder");
  if (!S_ISREG(file.st_mode)) refuse_file(path, "a pipe, a socket or a device");
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) {
    refuse_file(path, "one that cannot be opened: " + std::generic_category().message(errno));
  }
}

/// Returns true if a file belongs to the user or to root; with AT_SYMLINK_NOFOLLOW, the link
/// itself.
bool is_own(const fs::path& path, int flags = 0) {
  struct stat file {};
  if (::fstatat(AT_FDCWD, path.c_str(), &file, flags) != 0) {
    throw Error(ErrorCode::Io,
                "cannot read to whom it belongs: " + std::generic_category().message(errno),
                {.file = path.string()});
  }
  return file.st_uid == 0 || file.st_uid == ::geteuid();
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Returns the nearest folder with `.git`, from one upwards; "" if no folder has it, or if it
/// cannot be seen whether one has it: the folders above may be of another repository.
fs::path git_folder_above(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    const int failure = look_for(folder / ".git");
    if (failure == 0) return folder;
    if (failure != ENOENT || !folder.has_relative_path()) return {};
  }
}

/// Returns the user's home; "" if it is not set, does not exist, or is the root of all. Throws
/// Error (Io) if it cannot be reached.
fs::path home() {
  const char* home = std::getenv("HOME");
  if (home == nullptr) return {};
  std::error_code failed;
  const fs::path path = fs::canonical(home, failed);
  if (failed && failed.value() != ENOENT && failed.value() != ENOTDIR) {
    throw Error(ErrorCode::Io, "the folder of HOME cannot be reached: " + failed.message(),
                {.file = home}, "Set HOME to a folder of yours.");
  }
  return failed || !path.has_relative_path() ? fs::path() : path;
}

}  // namespace

FoundFile find_project_file() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) return {};
  fs::path folder = here;
  std::string path(kProjectFile);
  const auto shares = [&](const fs::path& top) {
    return !top.empty() && is_below(here, top) && is_below(folder, top);
  };
  const auto counts = [&] {
    return folder == here || shares(git_folder_above(here)) || shares(home());
  };
  // guard(follow): a project file above counts in the same repository or home, if it is the user's.
  for (;; folder = folder.parent_path(), path.insert(0, "../")) {
    const int failure = look_for(folder / kProjectFile);
    if (failure == 0) break;
    // In folders of others, a file that cannot be seen would not count.
    if (failure != ENOENT && counts()) need_readable(folder / kProjectFile);
    if (!folder.has_relative_path()) return {};
  }
  const fs::path file = folder / kProjectFile;
  const auto refuse = [&](std::string_view why) {
    return FoundFile{std::nullopt, fmt::format("{} is not used, since {}: name it by --config",
                                               file.string(), why)};
  };
  // One that cannot be read is an error only if it counts: in a shared folder, every user can make
  // it.
  if (!counts()) return refuse("it is neither in the same git repository nor in your home");
  constexpr std::string_view kForeign = "it belongs to another user";
  if (!is_own(file, AT_SYMLINK_NOFOLLOW)) return refuse(kForeign);
  for (fs::path above = folder;; above = above.parent_path()) {
    if (!is_own(above)) {
      return refuse(fmt::format("its folder {} belongs to another user", above.string()));
    }
    if (!above.has_relative_path()) break;
  }
  need_readable(file);
  if (!is_own(file)) return refuse(kForeign);
  return {path, ""};
}

std::vector<std::string> hosts_of_user() {
  const char* set = std::getenv("XDG_CONFIG_HOME");
  const fs::path folder =
      set != nullptr && fs::path(set).is_absolute() ? fs::path(set) : home() / ".config";
  const fs::path path = folder / "xwalk" / "config.toml";
  if (!path.is_absolute() || look_for(path) == ENOENT) return {};
  need_readable(path);
  if (!is_own(path, AT_SYMLINK_NOFOLLOW) || !is_own(path)) return {};
  return read_allowed_hosts(path.string());
}

std::string repository_of(const std::string& project_file) {
  const fs::path folder = io::without_links(fs::path(project_file).parent_path().string());
  const fs::path top = git_folder_above(folder);
  return top.empty() ? folder.string() : top.string();
}

bool leads_outside(const std::string& project_file) {
  return !is_below(io::without_links(project_file), repository_of(project_file));
}

}  // namespace xwalk::cli
