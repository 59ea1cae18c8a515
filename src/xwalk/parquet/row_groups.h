#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xwalk::parquet {

/// A run of rows of a file that its columns are stored for together.
struct RowGroup {
  int64_t rows = 0;
  int64_t bytes = 0;  ///< of all columns, uncompressed
};

/// Returns the row groups of FileMetaData, in the order of their rows. Throws Error (Input) on
/// malformed bytes.
std::vector<RowGroup> row_groups(std::string_view footer);

/// Returns FileMetaData whose row groups each say one row more, the rest byte for byte: an engine
/// then reads the row that a column has too many. Throws Error (Input) for malformed bytes.
std::string with_one_row_more(std::string_view footer);

/// Returns FileMetaData for only `count` row groups from number `first` on and their rows. The rest
/// is kept byte for byte. Throws Error (Input) on malformed bytes, and if there are fewer groups.
std::string keep_row_groups(std::string_view footer, uint64_t first, uint64_t count);

}  // namespace xwalk::parquet
