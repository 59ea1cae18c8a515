#pragma once

#include "xwalk/hub/builder.h"
#include "xwalk/skiff/plan.h"

namespace xwalk::skiff {

/// Appends the value at `at`, whose structure `skip` found sound, and returns its end: what columns
/// without a kernel of their own are decoded with. Returns null for a value the type does not hold;
/// the builders are then in between and must be truncated.
const char* append_value(const Plan& plan, const char* at, hub::ColumnBuilder* out);

}  // namespace xwalk::skiff
