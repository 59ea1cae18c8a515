#include "xwalk/python/errors.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_error.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

const char* class_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return "UsageError";
    case ErrorCode::Input:
      return "InputError";
    case ErrorCode::Unsupported:
      return "UnsupportedError";
    case ErrorCode::Io:
    case ErrorCode::ClosedPipe:
      return "IoError";
    case ErrorCode::Interrupted:
      return "Interrupted";
    case ErrorCode::Internal:
      return "InternalError";
  }
  return "InternalError";
}

/// A text that may hold bytes that are no UTF-8.
nb::object text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                        "backslashreplace"));
}

void raise(const Error& thrown) {
  const Error error = hub::spelled(thrown, hub::Door::Python);
  nb::object type = nb::module_::import_("xwalk.errors").attr(class_of(error.code()));
  nb::object value = type(text(error.describe()));
  const Place& place = error.place();
  value.attr("message") = text(error.message());
  value.attr("hint") = text(error.hint());
  value.attr("file") = text(place.file);
  value.attr("path") = text(place.path.text());
  value.attr("line") = nb::cast(place.line);
  value.attr("column") = nb::cast(place.column);
  value.attr("byte") = nb::cast(place.byte);
  value.attr("row") = nb::cast(place.row);
  value.attr("table") = nb::cast(place.table);
  PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

void register_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    } catch (const std::filesystem::filesystem_error& error) {
      raise(io::file_error(error));
    }
  });
}

}  // namespace xwalk::python
