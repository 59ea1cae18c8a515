#pragma once

#include <optional>
#include <string>
#include <vector>

// In which folders a project file may be, and to which repository it belongs.

namespace xwalk::cli {

struct FoundFile {
  /// The path as seen from the current folder; nothing if no file counts.
  std::optional<std::string> path;
  /// A sentence about a file that does not count, or "".
  std::string refused;
};

/// Looks for the nearest `xwalk.toml`, from the current folder upwards. One above the current
/// folder counts only in the same git repository or in the user's home. The file and its folders
/// must belong to the user or to root. Throws Error (Io) for a file that counts and cannot be read.
FoundFile find_project_file();

/// Returns the hosts that the user's own configuration allows: `allow-host` of
/// $XDG_CONFIG_HOME/xwalk/config.toml, ~/.config/xwalk/config.toml unless set. Throws Error (Io) if
/// the file exists and cannot be read.
std::vector<std::string> hosts_of_user();

/// Returns the git repository of a project file, or its folder if it is in none.
std::string repository_of(const std::string& project_file);

/// Returns true for a project file that is a link out of its git repository, or out of its folder
/// if it is in none.
bool leads_outside(const std::string& project_file);

}  // namespace xwalk::cli
