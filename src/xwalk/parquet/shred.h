#pragma once

#include "xwalk/hub/cast/kernel.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// Returns a kernel that shreds whole values of a VARIANT (VariantShredding.md), the way back of
/// `unshred_kernel`: from the struct of `metadata` and `value` to one of `metadata`, `value` and
/// `typed_value`, by the meanings of their annotations. A value goes to `typed_value` if it comes
/// back as the same value, and to `value` otherwise. A row is rejected if its bytes are not a
/// VARIANT, or if a value fits no column.
hub::cast::KernelPtr shred_kernel(const Resolved& variant);

}  // namespace xwalk::parquet
