#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/facts.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/rows/pipeline.h"

// What is to be known of a table before it is read: what its files say of themselves, and what the
// rows say where somebody reads them.

namespace xwalk::io {

/// A column, or a path below one. What is not known is nothing.
struct ColumnInfo {
  Path path;
  /// In the words of the system: whole, and without what is below.
  std::string type;
  std::string layer;
  bool nullable = true;
  /// Elements that are null where what holds them is not.
  std::optional<uint64_t> nulls;
  /// Floats that are NaN, as files record them.
  std::optional<uint64_t> nans;
  /// As `head` shows values; nothing where there is none, too.
  std::optional<std::string> smallest;
  std::optional<std::string> largest;
  /// Whether the writer has cut the two, so that they are bounds.
  bool shortened = false;
  std::optional<hub::DistinctCount> distinct;
  /// As stored, with all that is below.
  std::optional<uint64_t> bytes;
  /// Geometry: bounding box and types, as files record them.
  std::optional<hub::GeospatialFacts> geospatial;
};

/// Returns a bounding box as text: `x 1…2, y 3…4`; nothing if no coordinate is recorded.
std::optional<std::string> box_text(const ColumnInfo& column);

/// Returns types of geometries as text: `Point, Polygon Z`; nothing if they are not recorded.
std::optional<std::string> geometry_types_text(const ColumnInfo& column);

struct Info {
  /// The input as it was named, and how many others there are.
  std::string name;
  /// The word for the format.
  std::string format;
  uint64_t files = 0;
  /// Of all files, but for the columns, which are below.
  hub::FileFacts facts;
  std::vector<ColumnInfo> columns;
  /// Whether the rows were read: numbers of columns are theirs, but for bytes, which files say.
  bool scanned = false;
  /// Rows that were left out, as some value of theirs is none of its type.
  uint64_t bad_rows = 0;
  FileNotes file_notes;
};

struct InfoOptions {
  InputOptions input;
  /// The system whose words a file's schema is in, where somebody said.
  std::optional<crosswalk::System> system;
  /// Reads the rows.
  bool scan = false;
  PipelineOptions pipeline;
};

/// Finds what is known of an input, as `open_input` takes it. Without `scan` only footers,
/// manifests and the like are read. Throws Error.
Info info(const std::vector<std::string>& paths, const InfoOptions& options = {});

/// Returns how many rows files record together; nothing if one of them does not.
std::optional<uint64_t> rows_recorded(const std::vector<std::string>& paths,
                                      const InputOptions& options);

/// Prints what is known as JSON; what is not is null.
std::string print_json(const Info& info);

/// Says in a few sentences where the numbers come from, and what would tell those that are not
/// known: `scan` is how an interface has rows read.
std::string origin_of(const Info& info, std::string_view scan);

}  // namespace xwalk::io
