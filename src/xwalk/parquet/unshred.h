#pragma once

#include "xwalk/hub/cast/kernel.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// Returns a kernel that makes whole values of a shredded VARIANT (VariantShredding.md): from the
/// struct of `metadata`, `value` and `typed_value`, decoded by the rules of their annotations, to
/// one of `metadata` and `value`. A row is rejected if a value is stored twice, if an object
/// repeats a field, or if the bytes are not a VARIANT. A missing value that must not be is VARIANT
/// null.
hub::cast::KernelPtr unshred_kernel(const Resolved& variant);

}  // namespace xwalk::parquet
