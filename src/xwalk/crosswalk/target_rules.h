#pragma once

#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// Returns what the options say of a plan's target beside its types, at paths of the source: what
/// the cluster would refuse that the table is for, and zones that have no number.
hub::Findings target_rules(const Plan& plan, const PlanOptions& options);

}  // namespace xwalk::crosswalk
