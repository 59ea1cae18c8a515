#pragma once

#include <string>

#include "xwalk/crosswalk/report.h"

namespace xwalk::crosswalk {

/// Prints a report as GitHub-flavoured Markdown: a headline and a table of the lines that something
/// is reported for.
std::string print_markdown(const Report& report);

}  // namespace xwalk::crosswalk
