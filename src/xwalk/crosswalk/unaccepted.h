#pragma once

#include <vector>

#include "xwalk/crosswalk/acceptance.h"
#include "xwalk/crosswalk/report.h"

namespace xwalk::crosswalk {

/// Returns the verdict on a path of a report without its accepted findings.
hub::Verdict open_verdict(const Check& check, const PathReport& path);

/// Returns path and rule of the findings that must be accepted for a report to pass, in its order.
/// Rejected rows are not among them.
std::vector<Acceptance> unaccepted(const Check& check);
std::vector<Acceptance> unaccepted(const CompatCheck& check);

}  // namespace xwalk::crosswalk
