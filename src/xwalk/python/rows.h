#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds the opening and the moving of rows.
void bind_rows(nanobind::module_& module);

}  // namespace xwalk::python
