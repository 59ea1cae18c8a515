#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds the comparison of an output with its inputs by checksums, which tasks of a cluster add up.
void bind_compared_parts(nanobind::module_& module);

}  // namespace xwalk::python
