#pragma once

#include "xwalk/hub/handle.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Reads a C schema whose root is a struct. Throws Error (Input) if it is malformed or deeper than
/// limits::kSchemaDepth, Error (Unsupported) for a format string from the future.
Schema import_schema(const ArrowSchema& schema);
Field import_field(const ArrowSchema& schema);

/// Writes a C schema; the root is a non-nullable struct.
SchemaHandle export_schema(const Schema& schema);
SchemaHandle export_field(const Field& field);

}  // namespace xwalk::hub
