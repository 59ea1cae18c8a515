#pragma once

#include "xwalk/delta/type.h"
#include "xwalk/hub/finding.h"

namespace xwalk::delta {

/// Checks every rule of the protocol about a schema and returns all it finds, in schema order:
/// names and void, whose behavior is not defined. Types that need a table feature are a note
/// (`spec.version`).
hub::Findings validate(const Schema& schema);

}  // namespace xwalk::delta
