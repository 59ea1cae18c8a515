#pragma once

#include <string>

#include "xwalk/report/report_set.h"

namespace xwalk::report {

/// Print a report as JSON, as docs/report.schema.json describes it: an object whose member `report`
/// is "check", "diff", "compat", "project" or "tables", then a line feed.
std::string print_json(const Check& check);
std::string print_json(const DiffCheck& check);
std::string print_json(const CompatCheck& check);
std::string print_json(const ReportSet& set);
/// Prints what must be decided or was, as a list.
std::string print_json(const std::vector<Decision>& decisions);
/// The same as for a check, with `report` "row-diff".
std::string print_json(const RowDiff& diff);

}  // namespace xwalk::report
