#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "xwalk/hub/finding.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {

/// A release of the YTsaurus server: 24.1.
struct ClusterVersion {
  int year = 0;
  int number = 0;

  friend constexpr auto operator<=>(const ClusterVersion&, const ClusterVersion&) = default;
};

/// Returns every release that is known, oldest first, as words.
std::span<const std::string_view> cluster_versions();
/// Reads one of them. Throws Error (Usage) listing them.
ClusterVersion parse_cluster_version(std::string_view word);
std::string to_string(ClusterVersion version);

/// Something that a schema may say, and that older clusters refuse.
struct Feature {
  std::string_view what;
  /// The first release that has it.
  ClusterVersion since;
  /// What takes its place on older clusters.
  std::string_view instead;
  /// Whether the documentation of types names the release. If so, every schema that uses the
  /// feature is reported.
  bool documented = false;
  /// Returns true if the type itself uses the feature, regardless of the types within it. Null for
  /// features that are not types.
  bool (*of_type)(const Type& type) = nullptr;
  /// The same of a column besides its type.
  bool (*of_column)(const ColumnSchema& column) = nullptr;
};

/// Returns what a cluster of a release would refuse of a schema (`spec.version`), each at its
/// column with what to use instead.
hub::Findings lacking(const TableSchema& schema, ClusterVersion version);

/// Returns the release that the documentation of types names for a type itself, if it does.
std::optional<ClusterVersion> documented_since(const Type& type);

}  // namespace xwalk::yt
