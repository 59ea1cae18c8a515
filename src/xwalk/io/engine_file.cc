#include "xwalk/io/engine_file.h"

#include <dlfcn.h>
#include <filesystem>

#include "xwalk/io/engine_folder.h"

namespace xwalk::io {
namespace {

namespace fs = std::filesystem;

/// Returns the folder of the program or library that this code is linked into.
fs::path own_folder() {
  Dl_info info{};
  static const char anchor = 0;
  std::error_code ignored;
  fs::path path;
  if (::dladdr(&anchor, &info) != 0 && info.dli_fname != nullptr) {
    path = fs::weakly_canonical(info.dli_fname, ignored);
  }
  // A program's own name is what it was started as, and a static one has none; the link in /proc is
  // where it really lies.
  if (!fs::exists(path, ignored)) path = fs::read_symlink("/proc/self/exe", ignored);
  return path.parent_path();
}

}  // namespace

std::string find_engine_file(std::string_view file) {
  std::error_code ignored;
  if (const fs::path given = engine_folder();
      !given.empty() && fs::is_regular_file(given / file, ignored)) {
    return fs::weakly_canonical(given / file, ignored).string();
  }
  fs::path own = own_folder();
  for (const fs::path& folder :
       {own, own / "xwalk", own / "..", own / ".." / "..", own / ".." / "xwalk_parquet",
        own / ".." / XWALK_LIBRARY_FOLDER / "xwalk", own / ".." / "lib" / "xwalk"}) {
    if (fs::is_regular_file(folder / file, ignored)) {
      return fs::weakly_canonical(folder / file, ignored).string();
    }
  }
  return "";
}

}  // namespace xwalk::io
