#pragma once

#include "xwalk/hub/finding.h"

namespace xwalk::hub {

/// What `from_arrow` of a module gives: its schema, and what the exact mapping does to each path.
/// Rule, path, lost and hint are the module's word; the axes are computed by the crosswalk.
template <typename Schema>
struct FromArrow {
  Schema schema;
  Findings findings;
};

}  // namespace xwalk::hub
