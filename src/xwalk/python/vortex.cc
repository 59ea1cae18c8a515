#include "xwalk/python/vortex.h"

#include <nanobind/stl/vector.h>

#include "xwalk/python/text.h"
#include "xwalk/vortex/scalar.h"
#include "xwalk/vortex/scalar_json.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

}  // namespace

void bind_vortex(nb::module_& module) {
  module.def(
      "read_vortex_scalar",
      [](const nb::bytes& data) {
        return vortex::write_scalar_json(vortex::read_scalar(view(data)));
      },
      nb::arg("data"));
  module.def(
      "write_vortex_scalar",
      [](const std::string& json) {
        return bytes_of(vortex::write_scalar(vortex::read_scalar_json(json)));
      },
      nb::arg("json"));
  module.def(
      "read_vortex_path", [](const nb::bytes& data) { return vortex::read_field_path(view(data)); },
      nb::arg("data"));
  module.def(
      "write_vortex_path",
      [](const vortex::FieldPath& path) { return bytes_of(vortex::write_field_path(path)); },
      nb::arg("path"));
}

}  // namespace xwalk::python
