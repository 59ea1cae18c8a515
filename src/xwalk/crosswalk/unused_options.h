#pragma once

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// Returns a note for each option that alters values or types and alters none in a plan
/// (`option.unused`).
hub::Findings unused_options(const Plan& plan, const PlanOptions& options);

}  // namespace xwalk::crosswalk
