#include <nanobind/nanobind.h>

#include "xwalk/python/errors.h"
#include "xwalk/python/rows.h"
#include "xwalk/python/schema.h"

NB_MODULE(_xwalk, module) {
  module.doc() = "The compiled part of xwalk; use the package around it.";
  module.attr("__version__") = XWALK_VERSION;
  xwalk::python::register_errors();
  xwalk::python::bind_schema(module);
  xwalk::python::bind_rows(module);
}
