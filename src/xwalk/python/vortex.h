#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds the messages of Vortex's expressions: scalars as JSON, field paths as names.
void bind_vortex(nanobind::module_& module);

}  // namespace xwalk::python
