#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/convert/named_options.h"

namespace xwalk::python {

/// Reads keyword arguments; those of `None` are as if they were not given. Throws Error (Usage) for
/// a name or a word that is not known.
io::ConvertOptions read_options(const nanobind::dict& given);

/// Binds the list of all options, and suggestions for a mistyped one.
void bind_options(nanobind::module_& module);

}  // namespace xwalk::python
