#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Runs Lance and Vortex through their packages in this interpreter, if they can be imported.
/// `xwalk/_engines.py` runs them.
void bind_engines(nanobind::module_& module);

}  // namespace xwalk::python
