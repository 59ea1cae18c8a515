#include "xwalk/crosswalk/row_diff.h"

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"

namespace xwalk::crosswalk {

std::string_view to_string(RowChange change) {
  switch (change) {
    case RowChange::Added:
      return "added";
    case RowChange::Removed:
      return "removed";
    case RowChange::Changed:
      return "changed";
  }
  return "";
}

std::string place_of(const RowDifference& found) {
  const bool two = found.left_row && found.right_row && *found.left_row != *found.right_row;
  const std::string left = found.left_row ? grouped(*found.left_row) : "";
  const std::string right = found.right_row ? grouped(*found.right_row) : "";
  return two ? fmt::format("{} → {}", left, right) : left.empty() ? right : left;
}

std::string counts_of(const RowDiff& diff) {
  std::vector<std::string> counts;
  for (const ColumnCount& column : diff.counts) {
    counts.push_back(fmt::format("{} in {}", visible(column.name), counted(column.rows, "row")));
  }
  return "differs: " + join(counts, ", ");
}

}  // namespace xwalk::crosswalk
