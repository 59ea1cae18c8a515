#pragma once

#include <string>

#include "xwalk/crosswalk/row_diff.h"

namespace xwalk::report {

/// Appends the part of a page that shows how the rows of two tables differ: a bar per column for
/// the share of rows that differ, columns that are not compared, and the first differences.
void append_rows(const crosswalk::RowDiff& diff, std::string* out);

}  // namespace xwalk::report
