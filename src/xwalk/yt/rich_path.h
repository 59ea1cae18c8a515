#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xwalk::yt {

/// A path to a table with what of it is meant, as people write it: `//home/t{a,b}[#10:#20]`, also
/// with the cluster before it: `yt://cluster//home/t`.
struct RichPath {
  /// The name or the address of the cluster; empty where none is given.
  std::string cluster;
  /// The path alone.
  std::string path;
  /// The columns, in the order given; nothing for all.
  std::optional<std::vector<std::string>> columns;
  /// The ranges of rows with their brackets, as they are written; empty for all.
  std::string ranges;
};

/// Takes a path apart; columns and ranges may come in either order. Ranges are not looked into.
/// Throws Error (Usage) with the place.
RichPath parse_rich_path(std::string_view text);

}  // namespace xwalk::yt
