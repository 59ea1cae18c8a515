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
  if (a.is_stream() || b.is_stream()) return false;
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

bool is_one_of(const Location& path, const std::vector<std::string>& files) {
  const bool folder = !path.is_stream() && (path.is_remote() ? path.name().ends_with('/')
                                                             : fs::is_directory(path.name()));
  return std::ranges::any_of(files, [&](const std::string& name) {
    const Location file(name);
    return is_same_file(path, file) || (folder && !file.is_stream() && holds(path, file));
  });
}

}  // namespace xwalk::io
