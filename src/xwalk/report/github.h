#pragma once

#include <string>

#include "xwalk/report/report.h"

namespace xwalk::report {

/// Prints a report as workflow commands of GitHub Actions, one for each statement:
/// `::warning file=F,title=PATH%3A RULE::text`. What makes the program end with 1 is an error where
/// values are lost; lines that are well say nothing.
std::string print_github(const Report& report);

}  // namespace xwalk::report
