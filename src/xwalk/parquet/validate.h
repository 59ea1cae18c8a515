#pragma once

#include "xwalk/hub/finding.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Checks every rule of the format and returns what it finds, in schema order, never throwing. A
/// finding whose verdict is Unsupported breaks a rule; the others are warnings (old shapes, mixed
/// annotations, an int64 that need not be one) and notes (`spec.beyond-text`).
hub::Findings validate(const Schema& schema);

/// Returns true for a finding of `validate` that breaks a rule of the format.
bool is_violation(const hub::Finding& finding);

}  // namespace xwalk::parquet
