#include "xwalk/cli/project_trust.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/cli/project_file.h"
#include "xwalk/io/bytes/place_limit.h"

namespace xwalk::cli {
namespace {

namespace fs = std::filesystem;

/// Returns true if a file, and the link of that name if it is one, belongs to the user or to root.
bool is_own(const fs::path& path) {
  const auto own = [](const struct stat& file) {
    return file.st_uid == 0 || file.st_uid == ::geteuid();
  };
  struct stat link {};
  struct stat file {};
  return ::lstat(path.c_str(), &link) == 0 && ::stat(path.c_str(), &file) == 0 && own(link) &&
         own(file);
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Returns the nearest folder with `.git`, from one upwards; "" if no folder has it.
fs::path git_folder_above(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder / ".git", ignored)) {
    if (!folder.has_relative_path()) return {};
    folder = folder.parent_path();
  }
  return folder;
}

/// Returns the user's home; "" if it is not set, or is the root of all.
fs::path home() {
  const char* home = std::getenv("HOME");
  std::error_code failed;
  const fs::path path = home == nullptr ? fs::path() : fs::canonical(home, failed);
  return failed || !path.has_relative_path() ? fs::path() : path;
}

}  // namespace

FoundFile find_project_file() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) return {};
  fs::path folder = here;
  std::string path(kProjectFile);
  // guard(follow): a project file above counts in the same repository or home, if it is the user's.
  while (!fs::is_regular_file(folder / kProjectFile, failed)) {
    if (!folder.has_relative_path()) return {};
    folder = folder.parent_path();
    path.insert(0, "../");
  }
  const auto refuse = [&](std::string_view why) {
    return FoundFile{std::nullopt, fmt::format("{} is not used, since {}: name it by --config",
                                               (folder / kProjectFile).string(), why)};
  };
  const auto shares = [&](const fs::path& top) {
    return !top.empty() && is_below(here, top) && is_below(folder, top);
  };
  if (folder != here && !shares(git_folder_above(here)) && !shares(home())) {
    return refuse("it is neither in the same git repository nor in your home");
  }
  if (!is_own(folder / kProjectFile)) return refuse("it belongs to another user");
  for (fs::path above = folder;; above = above.parent_path()) {
    if (!is_own(above)) {
      return refuse(fmt::format("its folder {} belongs to another user", above.string()));
    }
    if (!above.has_relative_path()) return {path, ""};
  }
}

std::vector<std::string> hosts_of_user() {
  const char* set = std::getenv("XDG_CONFIG_HOME");
  const fs::path folder =
      set != nullptr && fs::path(set).is_absolute() ? fs::path(set) : home() / ".config";
  const fs::path path = folder / "xwalk" / "config.toml";
  std::error_code failed;
  if (!path.is_absolute() || !fs::is_regular_file(path, failed) || !is_own(path)) return {};
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
