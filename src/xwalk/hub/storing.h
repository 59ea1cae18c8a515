#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace xwalk::hub {

/// How a file stores its rows, as far as an output of them can do the same.
struct Storing {
  struct SortKey {
    /// Of the file's columns.
    std::string column;
    bool descending = false;
    bool nulls_first = false;
  };
  /// By column, in the format's names: "zstd", "none".
  std::map<std::string, std::string, std::less<>> compression;
  /// Rows of a row group if most have the same number; otherwise 0.
  int64_t group_rows = 0;
  /// By what all rows are sorted, the first first.
  std::vector<SortKey> sorted_by;
  /// Whether parts of it are sorted separately, so that the whole need not be.
  bool sorted_in_parts = false;
  bool page_index = false;
  bool bloom_filters = false;
};

}  // namespace xwalk::hub
