#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/facts.h"
#include "xwalk/hub/histogram.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"

// Facts about a table: those that its files state, and those from its rows if they are read.

namespace xwalk::io {

/// A column, or a path below one. Unknown facts are empty.
struct ColumnInfo {
  Path path;
  /// In the system's notation: the whole type, and its own layer.
  std::string type;
  std::string layer;
  bool nullable = true;
  /// Elements that are null although their parent is not.
  std::optional<uint64_t> nulls;
  /// Floats that are NaN, as files record them or in rows that were read.
  std::optional<uint64_t> nans;
  /// Values as `head` shows them; empty without statistics.
  std::optional<std::string> smallest;
  std::optional<std::string> largest;
  /// Whether the writer has cut the two, so that they are bounds.
  bool shortened = false;
  std::optional<hub::DistinctCount> distinct;
  /// Of rows that were read: numbers and times by value, text and bytes by length.
  hub::Histogram::Bars histogram = {};
  /// As stored, with all that is below.
  std::optional<uint64_t> bytes;
  /// Values of any type, in rows that were read: how many there are of each kind, and the bytes of
  /// all of them.
  std::vector<std::pair<std::string_view, uint64_t>> kinds;
  std::optional<uint64_t> value_bytes;
  /// Geometry: bounding box and types, as files record them.
  std::optional<hub::GeospatialFacts> geospatial;
};

/// Returns a bounding box as text: `x 1…2, y 3…4`; nothing if no coordinate is recorded.
std::optional<std::string> box_text(const ColumnInfo& column);

/// Returns types of geometries as text: `Point, Polygon Z`; nothing if they are not recorded.
std::optional<std::string> geometry_types_text(const ColumnInfo& column);

/// Returns a histogram as text, a character for each range: `▁▃█`; nothing if no value was counted.
std::optional<std::string> histogram_text(const ColumnInfo& column);

/// Returns kinds of values as text: `map 3, string 1`; nothing if none were counted.
std::optional<std::string> kinds_text(const ColumnInfo& column);

struct Info {
  /// The input as it was named, and how many others there are.
  std::string name;
  /// The word for the format.
  std::string format;
  uint64_t files = 0;
  /// Of all files, except for the columns, which are below.
  hub::FileFacts facts;
  std::vector<ColumnInfo> columns;
  /// True if the rows were read. The columns' numbers are then from the rows, except bytes, which
  /// come from the files.
  bool scanned = false;
  /// Rows left out because a value is invalid for its type.
  uint64_t bad_rows = 0;
  FileNotes file_notes;
};

struct InfoOptions {
  InputOptions input;
  /// The system in whose notation a file's schema is written, if given.
  std::optional<crosswalk::System> system;
  /// Reads the rows.
  bool scan = false;
  PipelineOptions pipeline;
};

/// Collects the facts about an input, as `open_input` takes it. Without `scan` only footers,
/// manifests and the like are read. Throws Error.
Info info(const Locations& paths, const InfoOptions& options = {});

/// Returns how many rows files record together; nothing if one of them does not.
std::optional<uint64_t> rows_recorded(const Locations& paths, const InputOptions& options);

/// Prints the facts as JSON. Unknown ones are null.
std::string print_json(const Info& info);

/// Explains in a few sentences where the numbers come from, and how to get unknown ones. `scan` is
/// the interface's way to read the rows.
std::string origin_of(const Info& info, std::string_view scan);

}  // namespace xwalk::io
