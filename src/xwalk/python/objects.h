#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds what is asked of stores beside rows: what stands under a name, what tells an object from
/// another, listing and removing.
void bind_objects(nanobind::module_& module);

}  // namespace xwalk::python
