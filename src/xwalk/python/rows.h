#pragma once

#include <nanobind/nanobind.h>
#include <string>

#include "xwalk/io/formats/options.h"

namespace xwalk::python {

/// Warns, as Python does, that the schema of rows was inferred, if it was. Throws Error (Input)
/// if warnings are errors.
void warn_of_inferred(const io::FileNotes& notes, const std::string& name);

/// Binds the opening and the moving of rows.
void bind_rows(nanobind::module_& module);

}  // namespace xwalk::python
