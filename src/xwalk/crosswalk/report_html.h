#pragma once

#include <string>

#include "xwalk/crosswalk/report.h"

namespace xwalk::crosswalk {

/// Prints a report as one HTML page that needs nothing else: both schemas side by side as trees,
/// each line joined to its partner and coloured by verdict, with what is said of it. Filters by
/// verdict without scripts; a script adds search where scripts run. Whatever stands in names and
/// values is text, and the page forbids itself every other script and every request.
std::string print_html(const Report& report);

}  // namespace xwalk::crosswalk
