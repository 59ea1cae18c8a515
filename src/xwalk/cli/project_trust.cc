#include "xwalk/cli/project_trust.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/project_file.h"
#include "xwalk/io/bytes/location.h"

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
fs::path repository_of(fs::path folder) {
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
  if (folder != here && !shares(repository_of(here)) && !shares(home())) {
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

namespace {

/// Returns the repository of a project file, or its folder if it is in none.
fs::path top_of(const std::string& project_file) {
  const fs::path folder = fs::canonical(fs::absolute(project_file).parent_path());
  fs::path top = repository_of(folder);
  return top.empty() ? folder : top;
}

}  // namespace

bool leads_outside(const std::string& project_file) {
  return !is_below(fs::weakly_canonical(fs::absolute(project_file)), top_of(project_file));
}

void expect_inside(const std::string& project_file, const std::string& name,
                   std::string_view rule) {
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorCode::Usage, fmt::format("{} is {}", xwalk::quoted(name), what), {},
                std::string(rule));
  };
  if (io::is_uri(name)) refuse("a URI");
  const fs::path top = top_of(project_file);
  // Of a pattern, the folder that it looks into.
  std::string fixed = name.substr(0, name.find_first_of("*?["));
  if (fixed.size() < name.size()) fixed.resize(fixed.rfind('/') + 1);
  const fs::path path = fs::weakly_canonical(fs::absolute(fixed));
  if (!is_below(path, top)) refuse("outside the repository");
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (!entry.is_symlink()) continue;
    if (!is_below(fs::weakly_canonical(entry.path()), top)) {
      refuse(fmt::format("a folder with a link out of the repository, {}",
                         xwalk::quoted(entry.path().filename().string())));
    }
  }
}

}  // namespace xwalk::cli
