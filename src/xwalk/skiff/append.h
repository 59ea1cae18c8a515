#pragma once

#include "xwalk/hub/builder.h"
#include "xwalk/skiff/codec.h"

namespace xwalk::skiff {

/// Appends the value at `at`, whose structure `skip` has checked, and returns its end. For columns
/// that are not decoded as a whole. Returns null for a value that the type does not hold. The
/// builders are incomplete then and must be truncated.
const char* append_value(const Codec& codec, const char* at, hub::ColumnBuilder* out);

}  // namespace xwalk::skiff
