#pragma once

#include <string>

#include "xwalk/report/report.h"

namespace xwalk::report {

/// Prints a report as GitHub-flavoured Markdown: a headline and a table of the lines that something
/// is reported for.
std::string print_markdown(const Report& report);

}  // namespace xwalk::report
