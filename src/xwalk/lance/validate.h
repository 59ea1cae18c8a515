#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/lance/flat.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// Checks every rule of the format and returns all it finds, in schema order, never throwing: ids,
/// names, counts of children, keys of maps, primary and clustering keys, parameters of types. Those
/// that break no rule (`hub::is_violation`) are notes (`spec.beyond-text`, a key position used
/// twice).
hub::Findings validate(const Schema& schema);

/// The same for a list that may have invalid links: parents that are missing, come later, cannot be
/// parents or form a cycle.
hub::Findings validate(const FlatSchema& flat);

}  // namespace xwalk::lance
