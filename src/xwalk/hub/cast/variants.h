#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// The family of VARIANT: to and from values of any type in YSON, and JSON text.
Compiled compile_variants(Compiler& compiler, const Field& from, const Field& to, const Path& path);

}  // namespace xwalk::hub::cast
