#include <nanobind/nanobind.h>

#include "xwalk/io/engines/engine_program.h"
#include "xwalk/python/compared_parts.h"
#include "xwalk/python/engines.h"
#include "xwalk/python/errors.h"
#include "xwalk/python/info.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/objects.h"
#include "xwalk/python/options.h"
#include "xwalk/python/report.h"
#include "xwalk/python/rows.h"
#include "xwalk/python/schema.h"
#include "xwalk/python/text.h"
#include "xwalk/python/validate.h"
#include "xwalk/python/vortex.h"
#include "xwalk/version.h"

NB_MODULE(_xwalk, module) {
  module.doc() = "The compiled part of xwalk; use the package around it.";
  module.attr("version") = XWALK_VERSION;
  xwalk::python::register_errors();
  xwalk::python::bind_options(module);
  xwalk::python::bind_report(module);
  xwalk::python::bind_schema(module);
  xwalk::python::bind_rows(module);
  xwalk::python::bind_compared_parts(module);
  xwalk::python::bind_info(module);
  xwalk::python::bind_validate(module);
  xwalk::python::bind_vortex(module);
  xwalk::python::bind_objects(module);
  xwalk::python::bind_engines(module);
  xwalk::python::release_gil_for_streams();
  module.def("set_engine_interpreter", xwalk::io::set_engine_interpreter, nanobind::arg("path"));
}
