#pragma once

#include "xwalk/hub/handle.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Reads a C schema whose root is a struct. Throws Error (Input) if it is malformed or deeper than
/// limits::kSchemaDepth, Error (Unsupported) for a format string from the future.
Schema import_schema(const ArrowSchema& schema);
Field import_field(const ArrowSchema& schema);

/// How the reader of a C schema identifies its fields. By name, names and zones with a zero byte
/// would be cut. By place, they are allowed.
enum class FieldsBy : uint8_t { Name, Place };

/// Writes a C schema whose root is a non-nullable struct. Throws Error (Unsupported) for a text
/// that would be cut.
SchemaHandle export_schema(const Schema& schema, FieldsBy by = FieldsBy::Name);
SchemaHandle export_field(const Field& field);

}  // namespace xwalk::hub
