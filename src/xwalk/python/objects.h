#pragma once

#include <nanobind/nanobind.h>

namespace xwalk::python {

/// Binds functions of stores other than reading rows: the kind and the tag of an object, listing
/// and removing.
void bind_objects(nanobind::module_& module);

}  // namespace xwalk::python
