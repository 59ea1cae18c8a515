#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// A kernel from a decimal to Utf8: all digits of its scale, `1.50`.
KernelPtr decimal_as_text(const Type& from);

/// Returns a cast from a decimal to a type without nan and infinities, which rejects them if the
/// source has them, and records that.
KernelPtr finite_only(Compiler& compiler, const Field& from, const Path& path, KernelPtr cast);

/// A kernel from text or bytes of any layout to a decimal: an optional minus, digits, and a point
/// followed by digits. Rejects anything else, and digits that do not fit, unless they are after the
/// point and `round` is set.
KernelPtr text_as_decimal(const Type& from, const Type& to, bool round, const Path& path);

}  // namespace xwalk::hub::cast
