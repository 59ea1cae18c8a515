#include "xwalk/io/bytes/same_file.h"

#include <algorithm>
#include <filesystem>

#include "xwalk/io/bytes/cluster_name.h"
#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

namespace fs = std::filesystem;

bool is_same_file(const std::string& a, const std::string& b) {
  if (is_cluster(a) && is_cluster(b)) return is_same_table(a, b);
  if (is_remote(a) || is_remote(b)) return a == b;
  return a != "-" && b != "-" && fs::exists(a) && fs::exists(b) && fs::equivalent(a, b);
}

namespace {

/// Returns true for any of the folders above a file.
bool holds(const std::string& folder, const std::string& file) {
  if (is_remote(file) || is_remote(folder)) return file.starts_with(folder);
  const fs::path path = fs::weakly_canonical(fs::absolute(file));
  for (fs::path above = path.parent_path();; above = above.parent_path()) {
    if (is_same_file(folder, above.string())) return true;
    if (above == above.parent_path()) return false;
  }
}

}  // namespace

bool is_one_of(const std::string& path, const std::vector<std::string>& files) {
  const bool folder =
      path != "-" && (is_remote(path) ? path.ends_with('/') : fs::is_directory(path));
  return std::ranges::any_of(files, [&](const std::string& file) {
    return is_same_file(path, file) || (folder && file != "-" && holds(path, file));
  });
}

}  // namespace xwalk::io
