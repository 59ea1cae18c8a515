#include "xwalk/python/info.h"

#include <nanobind/stl/vector.h>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/convert/table_infos.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"
#include "xwalk/python/rows.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Dict = nb::typed<nb::dict, nb::str, nb::any>;

/// Returns the facts of all tables that paths stand for, as JSON and as HTML.
nb::typed<nb::tuple, nb::str, nb::str> info(const std::vector<std::string>& paths,
                                            const Dict& given, bool scan) {
  io::ConvertOptions options = read_options(given);
  io::InfoOptions request;
  request.input = std::move(options.input);
  request.scan = scan;
  request.pipeline = options.pipeline;
  const io::TableInfos found = interruptible([&](const Interrupts& interrupts) {
    request.pipeline.cancelled = &interrupts.stop();
    return io::table_infos(paths, request);
  });
  for (const io::Info& info : found.infos) warn_of_inferred(info.file_notes, info.name);
  return nb::make_tuple(io::print_json(found, hub::Interface::Python),
                        io::html_tables(found, "scan=True", hub::Interface::Python));
}

}  // namespace

void bind_info(nb::module_& module) {
  module.def("info", info, nb::arg("paths"), nb::arg("options"), nb::arg("scan"));
}

}  // namespace xwalk::python
