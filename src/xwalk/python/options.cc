#include "xwalk/python/options.h"

#include <nanobind/stl/string.h>
#include <string>

#include "xwalk/base/error.h"

namespace xwalk::python {

namespace nb = nanobind;

io::ConvertOptions read_options(const nb::dict& given) {
  std::string json;
  try {
    json = nb::cast<std::string>(nb::module_::import_("json").attr("dumps")(given));
  } catch (nb::python_error& error) {
    // Something that is no string, number, flag or list.
    if (!error.matches(PyExc_TypeError)) throw;
    throw Error(ErrorCode::Usage,
                std::string("expected plain options: ") + nb::str(error.value()).c_str());
  }
  return io::read_named_options(json);
}

}  // namespace xwalk::python
