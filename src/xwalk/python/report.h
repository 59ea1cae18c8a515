#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/convert/any_report.h"

namespace xwalk::python {

/// A report, as Python holds it.
using Report = io::AnyReport;

void bind_report(nanobind::module_& module);

}  // namespace xwalk::python
