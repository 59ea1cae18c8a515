#pragma once

#include <string>

#include "xwalk/crosswalk/report.h"

namespace xwalk::crosswalk {

/// Prints a report as JUnit XML: one test case per column or node, which fails if the program
/// would end with 1; other statements are in its output.
std::string print_junit(const Report& report);

}  // namespace xwalk::crosswalk
