#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/yson/node.h"

namespace xwalk::yt {

/// A path to a table with its selection, as users write it: `//home/t{a,b}[#10:#20]`. It may have
/// the cluster before it, `yt://cluster//home/t`, and attributes before or after the cluster,
/// `<append=%true>//home/t`.
struct RichPath {
  /// The name or the address of the cluster; empty if none is given.
  std::string cluster;
  /// The path alone.
  std::string path;
  /// The columns, in the order given; nothing for all.
  std::optional<std::vector<std::string>> columns;
  /// The ranges of rows with their brackets, as written after the path; empty for all.
  std::string ranges;
  /// The ranges of rows as an attribute, `<"ranges"=[…];>`; empty for all.
  std::string limits;
  /// True if there are several ranges, whose rows come in their order.
  bool several_ranges = false;
  /// Whether rows are appended to the table. Empty if the path does not state it.
  std::optional<bool> append;
  /// Attributes for writing the table: `optimize_for`, `compression_codec`…
  std::vector<std::pair<std::string, yson::Node>> storage;

  /// Returns the path with its ranges, as the client reads it.
  std::string with_ranges() const { return limits + path + ranges; }
};

/// Returns true if a text is a table path, valid or not, rather than a file name: it begins with
/// `//` or `yt://`, or with attributes and then a path.
bool is_rich_path(std::string_view text);

/// Parses a path. Columns and ranges may be in either order. Ranges after the path are not parsed.
/// Throws Error (Usage) with the position, also for attributes that xwalk does not support.
RichPath parse_rich_path(std::string_view text);

}  // namespace xwalk::yt
