#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/parquet/type.h"

// Footers as an engine reads and writes them: it does not know all types, and it leaves NaN out of
// statistics.

namespace xwalk::parquet {

/// Returns FileMetaData for reading the physical nesting: its schema is `physical_schema` of the
/// footer's, without metadata, so that an engine does not interpret it. Throws Error (Input) as
/// `parse_footer`, and for malformed row groups.
std::string physical_footer(std::string_view footer);

/// Returns the FileMetaData that an engine has written of the schema of `plan_write`, as it is for
/// the schema that is written: `replace_schema`, INT96 in the place of its bytes, the column orders
/// of the schema, and the NaNs of floating-point numbers.
///
/// `nan_counts` is the key of the engine's metadata that has the number of NaNs for each row group
/// and leaf of floating-point numbers. A chunk has them as `nan_count`. The leaf of a chunk with
/// NaN has no smallest and largest values, because readers that order NaN after
/// all numbers would skip rows; in a column of IEEE 754 order, readers consult `nan_count`, and it
/// has them. If one chunk of a leaf has values without bounds, none has bounds: DataFusion takes
/// those of the others for the bounds of the file. If the metadata lacks the numbers,
/// each chunk counts as one with NaN. Statistics stay as they are if `nan_counts` is empty. If a
/// chunk has NaN, no chunk of the file has a column index.
std::string written_footer(std::string_view footer, const Schema& schema,
                           const std::vector<std::pair<std::string, std::string>>& metadata,
                           std::string_view nan_counts = {});

/// Returns true for a leaf of floating-point numbers.
bool is_float(const Node& leaf);

}  // namespace xwalk::parquet
