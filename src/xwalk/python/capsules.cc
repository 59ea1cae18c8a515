#include "xwalk/python/capsules.h"

#include <string>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/python/text.h"

namespace xwalk::python {
namespace {

namespace nb = nanobind;

constexpr const char* kSchemaName = "arrow_schema";
constexpr const char* kStreamName = "arrow_array_stream";

/// Frees a capsule's struct. A consumer has moved the struct out and left it released.
template <typename CStruct>
void destroy(PyObject* capsule, const char* name) {
  auto* held = static_cast<CStruct*>(PyCapsule_GetPointer(capsule, name));
  if (held == nullptr) return;
  if (held->release != nullptr) held->release(held);
  delete held;
}

void destroy_schema(PyObject* capsule) { destroy<ArrowSchema>(capsule, kSchemaName); }
void destroy_stream(PyObject* capsule) { destroy<ArrowArrayStream>(capsule, kStreamName); }

template <typename CStruct>
nb::object capsule_of(hub::Handle<CStruct> value, const char* name, PyCapsule_Destructor destroy) {
  auto* held = new CStruct(value.take());
  PyObject* capsule = PyCapsule_New(held, name, destroy);
  if (capsule == nullptr) {
    held->release(held);
    delete held;
    nb::raise_python_error();
  }
  return nb::steal(capsule);
}

/// Calls a method of the protocol. Throws Error (Input) if it raises an exception that is not
/// xwalk's own: no caller needs to know the exceptions of each package.
nb::object call(nb::handle object, const char* method) {
  try {
    return object.attr(method)();
  } catch (const nb::python_error& raised) {
    const nb::object own = nb::module_::import_("xwalk._errors").attr("Error");
    // A panic of Rust code is no Exception.
    const std::string kind = nb::type_name(raised.type()).c_str();
    const bool is_failure = raised.matches(PyExc_Exception) || kind.ends_with("PanicException");
    if (raised.matches(own) || !is_failure) throw;
    throw Error(ErrorCode::Input,
                fmt::format("{} of {} failed: {}: {}", method, nb::type_name(object.type()).c_str(),
                            nb::type_name(raised.type()).c_str(), str_of(raised.value())));
  }
}

/// Calls a method of the protocol and takes the struct out of the capsule it returns.
template <typename CStruct>
hub::Handle<CStruct> take(nb::handle object, const char* method, const char* name) {
  nb::object capsule;
  if (PyCapsule_IsValid(object.ptr(), name)) {
    capsule = nb::borrow(object);
  } else if (nb::hasattr(object, method)) {
    capsule = call(object, method);
  } else {
    throw Error(ErrorCode::Usage, fmt::format("expected an object with {}, found {}", method,
                                              nb::type_name(object.type()).c_str()));
  }
  auto* held = static_cast<CStruct*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (held == nullptr) nb::raise_python_error();
  if (held->release == nullptr) {
    throw Error(ErrorCode::Usage, fmt::format("expected an {} that was not taken yet", name));
  }
  return hub::Handle<CStruct>::adopt(held);
}

}  // namespace

nb::object schema_capsule(hub::SchemaHandle schema) {
  return capsule_of(std::move(schema), kSchemaName, destroy_schema);
}

nb::object stream_capsule(hub::StreamHandle stream) {
  return capsule_of(std::move(stream), kStreamName, destroy_stream);
}

hub::SchemaHandle take_schema(nb::handle object) {
  return take<ArrowSchema>(object, "__arrow_c_schema__", kSchemaName);
}

hub::StreamHandle take_stream(nb::handle object) {
  return take<ArrowArrayStream>(object, "__arrow_c_stream__", kStreamName);
}

}  // namespace xwalk::python
