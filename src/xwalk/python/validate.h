#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds the validation of rows.
void bind_validate(nanobind::module_& module);

}  // namespace xwalk::python
