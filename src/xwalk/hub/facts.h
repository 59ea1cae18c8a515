#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/distinct.h"
#include "xwalk/hub/seen.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// What a file records about the geometries of a column.
struct GeospatialFacts {
  /// The least and the greatest coordinate.
  struct Range {
    double least = 0;
    double greatest = 0;
    friend bool operator==(const Range&, const Range&) = default;
  };
  /// Of x, y, z and m; nothing if it is not recorded. In GEOGRAPHY, `least` of x is the greater one
  /// if the box crosses the antimeridian.
  std::array<std::optional<Range>, 4> box;
  /// The types of all geometries, `Point Z`; empty if they are not recorded.
  std::set<std::string> types;

  friend bool operator==(const GeospatialFacts&, const GeospatialFacts&) = default;
};

/// Adds what other rows have. What one of the two does not record is unknown, and so is the x of
/// two boxes if one crosses the antimeridian.
void add_geospatial(const GeospatialFacts& more, GeospatialFacts* all);

/// Facts in a file about the values of one path, for all of its rows. Unknown facts are empty.
struct ColumnFacts {
  Path path;
  std::optional<uint64_t> nulls;
  /// Floats: values that are NaN.
  std::optional<uint64_t> nans;
  std::optional<DistinctCount> distinct;
  /// Bytes of the values as they are stored.
  std::optional<uint64_t> bytes;
  /// Holds the smallest and the largest value, of which there may be none, as its only path.
  std::optional<SeenValues> values;
  /// Whether the file has cut long values, so that they are a little below and above.
  bool shortened = false;
  /// Geometry. Nothing if the file records neither boxes nor types.
  std::optional<GeospatialFacts> geospatial;
};

/// What a file of rows states about itself.
struct FileFacts {
  std::optional<uint64_t> rows;
  /// Bytes of a folder's files.
  std::optional<uint64_t> bytes;
  /// The file's units of storage: "row groups".
  std::string_view pieces_are;
  uint64_t pieces = 0;
  /// Compression of the columns, in the format's names.
  std::set<std::string> compression;
  /// Programs that wrote it.
  std::set<std::string> writers;
  /// The version of the format: "2.1".
  std::set<std::string> versions;
  std::vector<ColumnFacts> columns;
  /// The schema of the rows as they are read without options, if the format reads it for the facts.
  std::optional<Schema> schema;
};

/// Joins the facts of several files of one schema. A fact that one of them lacks is unknown.
void add_facts(FileFacts more, FileFacts* all);

}  // namespace xwalk::hub
