#pragma once

#include <string>

#include "xwalk/crosswalk/report_set.h"

namespace xwalk::crosswalk {

/// Prints what `check` found as one HTML page for people who decide about a migration: tables by
/// severity, each rule in a sentence with its columns, the decision and who makes it, and what
/// reading the rows found. The page has no script and loads nothing.
std::string print_management(const ReportSet& set);

}  // namespace xwalk::crosswalk
