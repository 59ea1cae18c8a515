#include "xwalk/io/bytes/same_file.h"

#include <algorithm>
#include <filesystem>

#include "xwalk/io/bytes/cluster_name.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

namespace fs = std::filesystem;

bool is_same_file(const Location& a, const Location& b) {
  if (a.is_cluster() && b.is_cluster()) return is_same_table(a, b);
  if (a.is_remote() || b.is_remote()) return a.name() == b.name();
  if (a.is_standard() || b.is_standard()) return false;
  const fs::path first(a.name());
  const fs::path second(b.name());
  return fs::exists(first) && fs::exists(second) && fs::equivalent(first, second);
}

namespace {

/// Returns true for any of the folders above a file.
bool holds(const Location& folder, const Location& file) {
  if (file.is_remote() || folder.is_remote()) return file.name().starts_with(folder.name());
  const fs::path path = fs::weakly_canonical(fs::absolute(file.name()));
  for (fs::path above = path.parent_path();; above = above.parent_path()) {
    if (is_same_file(folder, above.string())) return true;
    if (above == above.parent_path()) return false;
  }
}

}  // namespace

bool is_one_of(const Location& path, const Locations& files) {
  const bool folder = !path.is_standard() && (path.is_remote() ? path.name().ends_with('/')
                                                               : fs::is_directory(path.name()));
  return std::ranges::any_of(files, [&](const Location& file) {
    return is_same_file(path, file) || (folder && !file.is_standard() && holds(path, file));
  });
}

}  // namespace xwalk::io
