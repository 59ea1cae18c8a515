#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Checks every rule of the format and returns what it finds, in schema order, never throwing.
/// Those that break no rule (`hub::is_violation`) are warnings (old shapes, mixed annotations, an
/// int64 that need not be one) and notes (`spec.beyond-text`).
hub::Findings validate(const Schema& schema);

}  // namespace xwalk::parquet
