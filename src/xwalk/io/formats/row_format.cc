#include "xwalk/io/formats/row_format.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

std::vector<std::string> columns_of(const std::vector<Path>& selection) {
  std::vector<std::string> out;
  for (const Path& path : selection) {
    const std::string& name = path.steps().front()->name;
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  }
  return out;
}

void check_has_columns(hub::System system, size_t columns) {
  if (!system->needs_columns || columns > 0) return;
  throw Error(ErrorCode::Unsupported,
              fmt::format("rows without columns cannot be stored as {}", system->name), {},
              "Arrow, Vortex, Skiff and YSON hold such rows.");
}

bool writes_folders(const OutputOptions& options) {
  return !options.partition_by.empty() && !(options.format && (*options.format)->partitions);
}

}  // namespace xwalk::io
