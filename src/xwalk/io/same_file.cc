#include "xwalk/io/same_file.h"

#include <algorithm>
#include <filesystem>

#include "xwalk/io/location.h"

namespace xwalk::io {

namespace fs = std::filesystem;

bool is_same_file(const std::string& a, const std::string& b) {
  if (is_remote(a) || is_remote(b)) return a == b;
  std::error_code failed;
  return a != "-" && b != "-" && fs::equivalent(a, b, failed) && !failed;
}

bool is_one_of(const std::string& path, const std::vector<std::string>& files) {
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  return std::ranges::any_of(files, [&](const std::string& file) {
    if (is_same_file(path, file)) return true;
    const std::string parent = fs::path(file).parent_path().string();
    return folder && file != "-" && is_same_file(path, parent.empty() ? "." : parent);
  });
}

}  // namespace xwalk::io
