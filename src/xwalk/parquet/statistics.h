#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "xwalk/hub/facts.h"
#include "xwalk/hub/storing.h"
#include "xwalk/hub/type.h"
#include "xwalk/parquet/file.h"

namespace xwalk::parquet {

/// Returns the facts in FileMetaData about the rows: row groups, codecs, and by leaf the sizes and
/// the statistics of its column chunks. A path has the smallest and the largest value only if each
/// chunk with values states them in the type's order, and nulls only if nothing above the leaf may
/// be null or repeated. `rows` is the schema of the file's rows, which determines the types of the
/// values. Throws Error (Input) for malformed bytes. Statistics that are invalid for the type are
/// ignored.
hub::FileFacts facts_of(std::string_view footer, const Footer& parsed, const hub::Schema& rows);

/// A leaf that the rows of a row group are sorted by.
struct SortingColumn {
  int32_t leaf = -1;
  bool descending = false;
  bool nulls_first = false;

  friend bool operator==(const SortingColumn&, const SortingColumn&) = default;
};

/// The rows of a row group, and the order that its `sorting_columns` promise.
struct GroupOrder {
  int64_t rows = 0;
  std::vector<SortingColumn> sorted_by;
};

/// Returns the row groups of a footer. Throws Error (Input) for malformed row groups.
std::vector<GroupOrder> group_orders(std::string_view footer);

/// Returns how a file with this footer stores its columns, which a column of several leaves says by
/// the first of them. Throws Error (Input) for malformed row groups.
hub::Storing storing_of(std::string_view footer, const Schema& schema);

}  // namespace xwalk::parquet
