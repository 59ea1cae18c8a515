#include "xwalk/python/info.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/io/info_html.h"
#include "xwalk/python/interrupt.h"
#include "xwalk/python/options.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

using Words = nb::typed<nb::dict, nb::str, nb::any>;

/// Returns what is known as JSON and as a table of HTML.
nb::typed<nb::tuple, nb::str, nb::str> info(const std::vector<std::string>& paths,
                                            const Words& given, bool scan) {
  io::ConvertOptions options = read_options(given);
  io::InfoOptions asked;
  asked.input = std::move(options.input);
  asked.scan = scan;
  asked.pipeline = options.pipeline;
  const io::Info found = interruptible([&](const Interrupts& interrupts) {
    asked.pipeline.cancelled = &interrupts.stop();
    return io::info(paths, asked);
  });
  return nb::make_tuple(io::print_json(found), io::html_table(found, "scan=True"));
}

}  // namespace

void bind_info(nb::module_& module) {
  module.def("info", info, nb::arg("paths"), nb::arg("options"), nb::arg("scan"));
}

}  // namespace xwalk::python
