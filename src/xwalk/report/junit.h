#pragma once

#include <string>

#include "xwalk/report/report.h"

namespace xwalk::report {

/// Prints a report as JUnit XML: one test case per column or node, which fails if the program
/// would end with 1; other statements are in its output.
std::string print_junit(const Report& report);

}  // namespace xwalk::report
