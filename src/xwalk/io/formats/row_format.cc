#include "xwalk/io/formats/row_format.h"

#include <algorithm>

namespace xwalk::io {

std::vector<std::string> columns_of(const std::vector<Path>& selection) {
  std::vector<std::string> out;
  for (const Path& path : selection) {
    const std::string& name = path.steps().front()->name;
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  }
  return out;
}

}  // namespace xwalk::io
