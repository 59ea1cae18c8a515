#pragma once

#include <string>

#include "xwalk/report/report.h"

namespace xwalk::report {

/// Returns a few sentences on a conversion, worst first: the columns that cannot be converted, that
/// change or lose data, whose rows may be rejected, or that lose their type. If rows were read, the
/// sentences state how many were rejected. `report` has the lines and the decisions of the check.
std::string headline_of(const Check& check, const Report& report);

}  // namespace xwalk::report
