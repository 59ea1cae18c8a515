#include "xwalk/python/errors.h"

#include <cerrno>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/base/error_text.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/bytes/file_error.h"
#include "xwalk/io/bytes/store.h"
#include "xwalk/python/text.h"

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

/// A text that may hold bytes that are not UTF-8.
nb::object text(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                        "backslashreplace"));
}

/// Returns the errno of an error that has one, else 0.
int number_of(const Error& error) {
  if (const auto* failed = dynamic_cast<const io::SystemError*>(&error)) return failed->number();
  return dynamic_cast<const io::NoSuchObject*>(&error) != nullptr ? ENOENT : 0;
}

}  // namespace

nb::object exception_of(const Error& thrown) {
  const Error error = hub::spelled(thrown, hub::Interface::Python);
  const nb::module_ module = nb::module_::import_("xwalk._errors");
  const char* const name = class_of(error.code());
  const Place& place = error.place();
  const nb::object whole = text(text_of(error, ""));
  nb::object value = name == std::string_view("IoError")
                         ? module.attr("io_error")(whole, number_of(thrown), text(place.file))
                         : module.attr(name)(whole);
  value.attr("message") = text(error.message());
  value.attr("hint") = text(error.hint());
  value.attr("file") = text(place.file);
  value.attr("path") = text(place.path.text());
  value.attr("line") = nb::cast(place.line);
  value.attr("column") = nb::cast(place.column);
  value.attr("byte") = nb::cast(place.byte);
  value.attr("row") = nb::cast(place.row);
  value.attr("table") = nb::cast(place.table);
  return value;
}

namespace {

/// Raises what Python raises for a signal, in its main thread, which gets signals; returns false in
/// other threads.
bool raise_interrupt() {
  const nb::module_ threading = nb::module_::import_("threading");
  if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) return false;
  // A signal that was put back is handled here, so that it does not interrupt what follows.
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  return true;
}

void raise(const Error& thrown) {
  if (thrown.code() == ErrorCode::Interrupted && raise_interrupt()) return;
  try {
    const nb::object value = exception_of(thrown);
    PyErr_SetObject(value.type().ptr(), value.ptr());
  } catch (nb::python_error& raised) {
    // A signal's handler ran in the code of the class.
    raised.restore();
  }
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
