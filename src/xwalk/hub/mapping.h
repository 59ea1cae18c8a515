#pragma once

#include "xwalk/hub/finding.h"

namespace xwalk::hub {

/// How a room's `from_arrow` maps a hub schema to its own.
struct FromArrowOptions {
  /// false: the exact mapping, which accepts what the living system accepts and throws
  /// Error (Unsupported) with the path for the rest. true: what the system lacks becomes its
  /// nearest storage, each time with a finding.
  bool lower = false;
  /// Whether the annotations of the fields are believed; false maps the plain Arrow types.
  bool annotations = true;
};

/// What `from_arrow` of a room gives: its schema, and what the mapping does to each path. Rule,
/// path, lost and hint are the room's word; the axes are computed by the crosswalk.
template <typename Schema>
struct FromArrow {
  Schema schema;
  Findings findings;
};

}  // namespace xwalk::hub
