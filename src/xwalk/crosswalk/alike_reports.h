#pragma once

#include <vector>

#include "xwalk/crosswalk/alike.h"
#include "xwalk/crosswalk/plan_result.h"

namespace xwalk::crosswalk {

/// Adds to the reports on a plan's distinct columns those on the columns that are like them.
std::vector<PathReport> with_alike(const Plan& plan, const AlikeColumns& alike,
                                   std::vector<PathReport> distinct);

}  // namespace xwalk::crosswalk
