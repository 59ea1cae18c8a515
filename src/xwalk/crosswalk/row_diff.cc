#include "xwalk/crosswalk/row_diff.h"

#include <fmt/format.h>

#include "xwalk/crosswalk/report.h"

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

}  // namespace xwalk::crosswalk
