#pragma once

#include <nanobind/nanobind.h>
#include <string>

// Text between Python and C++, instead of <nanobind/stl/string.h>, which raises UnicodeDecodeError
// for bytes that are not UTF-8. Names of columns and files may have any bytes. Each byte that is
// not UTF-8 is a lone surrogate in Python, as in the names that `os` returns, and the same byte
// again in C++. Functions of the package refuse other lone surrogates (`expect_text`). What objects
// of other packages have of them are bytes that are not UTF-8.

namespace nanobind::detail {

template <>
struct type_caster<std::string> {
  NB_TYPE_CASTER(std::string, const_name("str"))

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    if (PyUnicode_Check(source.ptr()) == 0) return false;
    Py_ssize_t size = 0;
    if (const char* utf8 = PyUnicode_AsUTF8AndSize(source.ptr(), &size)) {
      value.assign(utf8, static_cast<size_t>(size));
      return true;
    }
    for (const char* errors : {"surrogateescape", "surrogatepass"}) {
      PyErr_Clear();
      const object bytes = steal(PyUnicode_AsEncodedString(source.ptr(), "utf-8", errors));
      char* data = nullptr;
      if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) continue;
      value.assign(data, static_cast<size_t>(size));
      return true;
    }
    PyErr_Clear();
    return false;
  }

  static handle from_cpp(const std::string& text, rv_policy, cleanup_list*) noexcept {
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                "surrogateescape");
  }
};

}  // namespace nanobind::detail

namespace xwalk::python {

/// Returns the text of an object, as `str` does.
inline std::string str_of(nanobind::handle object) {
  return nanobind::cast<std::string>(nanobind::str(object));
}

}  // namespace xwalk::python
