#pragma once

#include <span>

namespace xwalk::io {

struct RowFormat;

/// The format of rows: a cheap value that refers to its row in the table of formats.
class Format {
 public:
  constexpr Format(const RowFormat& row) : row_(&row) {}  // NOLINT(google-explicit-constructor)

  const RowFormat& operator*() const { return *row_; }
  const RowFormat* operator->() const { return row_; }
  friend bool operator==(Format, Format) = default;

 private:
  const RowFormat* row_;
};

/// The formats. Each is defined next to its reader and writer.
extern const RowFormat kYsonRows;
extern const RowFormat kJsonRows;
extern const RowFormat kSkiffRows;
extern const RowFormat kParquetRows;
extern const RowFormat kArrowFiles;
extern const RowFormat kArrowStreams;
extern const RowFormat kLanceRows;
extern const RowFormat kVortexRows;
/// Tables of Iceberg, by their catalog, folder or metadata file.
extern const RowFormat kIcebergRows;
/// Tables of Delta Lake, by their folder.
extern const RowFormat kDeltaRows;
/// Only written.
extern const RowFormat kCsvRows;
/// Tables on a cluster, whose rows travel as Skiff, or as YSON.
extern const RowFormat kClusterTables;
extern const RowFormat kClusterYsonTables;

/// Returns all formats, in the order in which they are listed.
std::span<const Format> formats();

}  // namespace xwalk::io
