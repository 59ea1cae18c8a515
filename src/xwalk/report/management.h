#pragma once

#include <string>

#include "xwalk/report/html.h"
#include "xwalk/report/report_set.h"

namespace xwalk::report {

/// Prints reports as one HTML page for people who decide about a migration: how many tables are
/// ready, each open decision with its columns, evidence and who makes it, the tables with a bar of
/// their columns by verdict, what was decided, and the rules in an appendix. The page has no script
/// and loads nothing.
std::string print_management(const ReportSet& set, const PageOrigin& origin = {});

}  // namespace xwalk::report
