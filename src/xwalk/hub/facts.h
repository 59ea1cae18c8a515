#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/distinct.h"
#include "xwalk/hub/seen.h"

namespace xwalk::hub {

/// What a file says of the values of one path, for all of its rows; nothing where it does not.
struct ColumnFacts {
  Path path;
  std::optional<uint64_t> nulls;
  std::optional<DistinctCount> distinct;
  /// Bytes of the values as they are stored.
  std::optional<uint64_t> bytes;
  /// Holds the smallest and the largest value, of which there may be none, as its only path.
  std::optional<SeenValues> values;
  /// Whether the file has cut long values, so that they are a little below and above.
  bool shortened = false;
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
};

/// Joins what several files of one schema say: what one of them does not say is not known.
void add_facts(FileFacts more, FileFacts* all);

}  // namespace xwalk::hub
