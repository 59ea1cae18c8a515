#pragma once

#include <nanobind/nanobind.h>

#include "xwalk/hub/handle.h"

namespace xwalk::python {

/// Puts a C struct of Arrow into a capsule of the PyCapsule protocol, which owns it.
nanobind::object schema_capsule(hub::SchemaHandle schema);
nanobind::object stream_capsule(hub::StreamHandle stream);

/// Takes the schema or the stream of an object that speaks the protocol. Throws Error (Usage) for
/// one that does not.
hub::SchemaHandle take_schema(nanobind::handle object);
hub::StreamHandle take_stream(nanobind::handle object);

}  // namespace xwalk::python
