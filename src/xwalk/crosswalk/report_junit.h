#pragma once

#include <string>

#include "xwalk/crosswalk/report.h"

namespace xwalk::crosswalk {

/// Prints a report as JUnit XML: one test case per column or node, which fails where the program
/// would end with 1; what else is said stands in its output.
std::string print_junit(const Report& report);

}  // namespace xwalk::crosswalk
