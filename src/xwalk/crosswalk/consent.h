#pragma once

#include <string_view>

#include "xwalk/crosswalk/plan.h"

namespace xwalk::crosswalk {

/// Plans the moving of rows to a system, or to a `given` schema of it (null for none), for a host
/// that takes consent as an option. Throws Error: Usage for a given schema of another system,
/// Unsupported with the path for what `objection_to` says; then `agree` is the hint that tells how
/// to allow altered values.
Plan plan_with_consent(System source, const hub::Schema& source_hub, System target,
                       const AnySchema* given, PlanOptions options, bool allow_lossy,
                       std::string_view agree);

}  // namespace xwalk::crosswalk
