#pragma once

#include <vector>

#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// Returns the rules of all findings, sorted by slug: those of the hub, of every system and of
/// plans.
const std::vector<hub::Rule>& rules();

}  // namespace xwalk::crosswalk
