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

/// Throws Error (Usage) if a name in a project file is a URI, or a file outside the file's git
/// repository, or outside its folder if it is in none; also by a link. `rule` is the hint.
void expect_inside(const std::string& project_file, const std::string& name, std::string_view rule);

/// Returns true for a project file that is a link out of its git repository, or out of its folder
/// if it is in none.
bool leads_outside(const std::string& project_file);

}  // namespace xwalk::cli
