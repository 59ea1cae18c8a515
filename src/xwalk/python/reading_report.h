#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/python/report.h"

// Tasks of a cluster read rows in one step and write them in another. Each step has a plan, and the
// report on writing includes what reading changed.

namespace xwalk::python {

/// Returns the report on one column of a plan for reading: its paths that are changed. Nothing if
/// none is. If writing restores the type of the column, only changes of values count.
std::optional<Report> changes_of_reading(const Report& reading, const std::string& column,
                                         bool is_restored);

/// Returns a report on writing with what reading changed, by the name of the column that is
/// written.
Report after_reading(const Report& writing,
                     const std::vector<std::pair<std::string, const Report*>>& readings);

}  // namespace xwalk::python
