#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/convert/named_options.h"

namespace xwalk::python {

/// Reads keyword arguments. Arguments with the value `None` are ignored. Throws Error (Usage) for
/// an unknown name or value.
io::ConvertOptions read_options(const nanobind::dict& given);

/// Binds the list of all options, and suggestions for a mistyped one.
void bind_options(nanobind::module_& module);

}  // namespace xwalk::python
