#pragma once

#include <optional>
#include <string>
#include <vector>

// Limits of a project file: in which folders it may be, and which hosts and files it may name.

namespace xwalk::cli {

struct FoundFile {
  /// The path as seen from the current folder; nothing if no file counts.
  std::optional<std::string> path;
  /// A sentence about a file that does not count, or "".
  std::string refused;
};

/// Looks for the nearest `xwalk.toml`, from the current folder upwards. One above the current
/// folder counts only in the same git repository or in the user's home. The file and its folders
/// must belong to the user or to root.
FoundFile find_project_file();

/// Returns the hosts that the user's own configuration allows: `allow-host` of
/// $XDG_CONFIG_HOME/xwalk/config.toml, ~/.config/xwalk/config.toml unless set.
std::vector<std::string> hosts_of_user();

/// Throws Error (Usage) if a project file that is not trusted names a URI, or a file outside its
/// git repository, or outside its folder if it is in none; also by a link.
void expect_inside(const std::string& project_file, const std::string& name);

/// Returns true for a project file that is a link out of its git repository, or out of its folder
/// if it is in none.
bool leads_outside(const std::string& project_file);

}  // namespace xwalk::cli
