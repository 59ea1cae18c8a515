#pragma once

#include <memory>
#include <nanobind/nanobind.h>

#include "xwalk/base/byte_stream.h"
#include "xwalk/io/bytes/source.h"

namespace xwalk::python {

/// Returns whether an object is bytes in memory: it speaks the buffer protocol.
bool is_buffer(nanobind::handle object);

/// Makes a source of an object with the buffer protocol, without a copy, or with a method
/// `read(size)` that returns bytes, fewer only at the end. Throws Error (Usage) for another one.
/// What `read` raises arrives as Error (Io, or Interrupted).
std::unique_ptr<io::Source> open_object(nanobind::object object);

/// Makes a sink of an object with a method `write(bytes)`. What it raises arrives as Error (Io, or
/// Interrupted); `finish` calls its method `flush`, if it has one.
std::unique_ptr<ByteSink> sink_of_object(nanobind::object object);

}  // namespace xwalk::python
