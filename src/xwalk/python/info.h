#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds what is known of files.
void bind_info(nanobind::module_& module);

}  // namespace xwalk::python
