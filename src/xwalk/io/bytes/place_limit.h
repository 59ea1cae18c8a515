#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/io/bytes/location.h"

// Which files a process may read and write that works for a file which the user did not write, such
// as a project file. Without a limit, every place may be read and written.

namespace xwalk::io {

/// No place may have the folder `.git` as a step, in any spelling that a file system takes for it.
/// No output may have a step that begins with a dot. Steps above `top` don't count.
struct PlaceLimit {
  /// The folder that the names belong to.
  std::string top;
  /// Whether files outside `top`, and URIs, may be read and written.
  bool reads_outside = true;
  bool writes_outside = true;
  /// Files, folders and URIs that the user named, which no limit is about.
  std::vector<std::string> named = {};
};

/// Limits this process from now on. Call it before other threads open anything.
void limit_places(PlaceLimit limit);

/// Returns true if requests may go to hosts.
bool may_name_hosts();

/// Throws Error (Usage) for a place that may not be read, whether or not it exists. Links are
/// followed step by step.
void check_read(const Location& place);
/// Returns true for a place that `check_read` accepts.
bool may_read(const Location& place);
/// Checks a folder with all links in it, which another program reads.
void check_read_all(const Location& folder);
/// The maker of an output's name. xwalk's own temporary names begin with a dot.
enum class NameOf : uint8_t { Project, Xwalk };
/// Throws Error (Usage) for a place that may not be written.
void check_write(const Location& place, NameOf made = NameOf::Project);

/// Returns the absolute path without links, as far as it exists.
std::string without_links(const std::string& path);

/// Returns true for a name that some file system takes for `.git`: in another case, with dots,
/// spaces or a stream after it, as a short name of NTFS, with code points that are ignored.
bool is_git_folder(std::string_view name);

}  // namespace xwalk::io
