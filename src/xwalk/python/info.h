#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds the facts about files.
void bind_info(nanobind::module_& module);

}  // namespace xwalk::python
