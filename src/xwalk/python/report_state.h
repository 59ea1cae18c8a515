#pragma once

#include <string>
#include <string_view>

#include "xwalk/python/report.h"

namespace xwalk::python {

/// Returns the bytes that `read_report` makes the report of again: all that its forms show.
std::string write_report(const Report& report);

/// Reads a report that the same version of xwalk wrote. Throws Error (Input).
Report read_report(std::string_view bytes);

}  // namespace xwalk::python
