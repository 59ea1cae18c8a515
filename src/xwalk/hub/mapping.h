#pragma once

#include "xwalk/hub/finding.h"

namespace xwalk::hub {

/// The result of a module's `from_arrow`: its schema, and what the exact mapping does to each path.
/// The module sets rule, path, lost and hint. The crosswalk computes the axes.
template <typename Schema>
struct FromArrow {
  Schema schema;
  Findings findings;
};

}  // namespace xwalk::hub
