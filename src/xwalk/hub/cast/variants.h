#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// The family of VARIANT: to and from values of any type in YSON, and JSON text.
Compiled compile_variants(Compiler& compiler, const Field& from, const Field& to, const Path& path);

/// Returns a kernel that rejects values of a VARIANT whose bytes are malformed, and returns its
/// input.
KernelPtr variant_check_kernel(Type type, Path path);

}  // namespace xwalk::hub::cast
