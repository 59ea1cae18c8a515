#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Has rows of Lance and Vortex pass through their packages in this interpreter, where they can be
/// imported; `xwalk/_engines.py` is what runs them.
void bind_engines(nanobind::module_& module);

}  // namespace xwalk::python
