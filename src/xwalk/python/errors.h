#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/base/error.h"

namespace xwalk::python {

/// Has every Error of the library arrive in Python as the class of `xwalk._errors` that its code
/// names, with its place as attributes.
void register_errors();

/// Returns the exception for an error.
nanobind::object exception_of(const Error& error);

}  // namespace xwalk::python
