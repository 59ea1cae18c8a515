#include "xwalk/io/plugins/engine_folder.h"

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"

namespace xwalk::io {
namespace {

std::string& folder_of_host() {
  static std::string folder;
  return folder;
}

}  // namespace

void set_engine_folder(const std::string& folder) {
  // The current folder is never searched, even if it is named.
  if (!folder.starts_with('/')) {
    throw Error(ErrorCode::Usage, fmt::format("expected the whole path of the folder of engines, "
                                              "found {}",
                                              quoted(folder)));
  }
  folder_of_host() = folder;
}

const std::string& engine_folder() { return folder_of_host(); }

}  // namespace xwalk::io
