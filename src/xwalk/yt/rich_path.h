#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/yson/node.h"

namespace xwalk::yt {

/// A path to a table with what of it is meant, as people write it: `//home/t{a,b}[#10:#20]`, also
/// with the cluster before it, `yt://cluster//home/t`, and with attributes before or behind that,
/// `<append=%true>//home/t`.
struct RichPath {
  /// The name or the address of the cluster; empty where none is given.
  std::string cluster;
  /// The path alone.
  std::string path;
  /// The columns, in the order given; nothing for all.
  std::optional<std::vector<std::string>> columns;
  /// The ranges of rows with their brackets, as they are written behind the path; empty for all.
  std::string ranges;
  /// The ranges of rows as an attribute, `<"ranges"=[…];>`; empty for all.
  std::string limits;
  /// True if there are several ranges, whose rows come in their order.
  bool several_ranges = false;
  /// Whether rows are added to those of the table, where the path says so.
  std::optional<bool> append;
  /// What a table is to be written with: `optimize_for`, `compression_codec`…
  std::vector<std::pair<std::string, yson::Node>> storage;

  /// Returns the path with its ranges, as the client reads it.
  std::string with_ranges() const { return limits + path + ranges; }
};

/// Returns whether a text is such a path, right or wrong, and no name of a file: it begins with
/// `//` or `yt://`, or with attributes and then a path.
bool is_rich_path(std::string_view text);

/// Takes a path apart; columns and ranges may come in either order. Ranges behind the path are not
/// looked into. Throws Error (Usage) with the place; for attributes that have no meaning here too.
RichPath parse_rich_path(std::string_view text);

}  // namespace xwalk::yt
