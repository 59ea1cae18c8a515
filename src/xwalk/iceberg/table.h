#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// A table at one of its versions, as its metadata describes it.
struct TableVersion {
  /// The schema that the rows of the version are read by.
  Schema schema;
  /// The snapshot; nothing for a table without rows.
  std::optional<int64_t> snapshot;
  /// What the snapshot states: rows (nothing if some are deleted by separate files), bytes and
  /// files of data.
  std::optional<uint64_t> rows;
  std::optional<uint64_t> bytes;
  std::optional<uint64_t> files;
  /// The program that made the snapshot, if it states it.
  std::string writer;
};

/// Reads a table's metadata (`….metadata.json`) at a version: the id of a snapshot, the name of a
/// branch or a tag, or a time, `2026-11-30` or `2026-11-30T12:00:00.5Z`, in UTC, whose snapshot was
/// the latest then. Without a version it is the latest snapshot. Rows of a snapshot, a tag or a
/// time have the schema of that time; those of a branch and the latest have the current one. Throws
/// Error: Input for other text, Usage for a version that the table does not have, with a list of
/// those it has.
TableVersion read_table(std::string_view metadata, const std::optional<std::string>& version = {});

}  // namespace xwalk::iceberg
