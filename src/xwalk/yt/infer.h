#pragma once

#include "xwalk/base/byte_stream.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {

/// Finds a table schema for YSON rows (a list fragment of maps, text or binary) by reading all of
/// them: for each column the narrowest type that holds every value of it.
///
/// Integers become the narrowest width of their sign, strings utf8 where all are UTF-8 and else
/// string, lists and maps list and struct; optional where a value is `#` or absent; yson where
/// values are mixed, have attributes, or a map has too many different keys to be a struct. The
/// system converts no number to another kind, so int64 and double, or int64 and uint64, are mixed.
/// Columns come in the order in which their names are first seen. Control entities are skipped.
/// Memory does not grow with the number of rows. Throws Error (Input) with the place for what is no
/// row.
TableSchema infer_schema(ByteSource& source);

}  // namespace xwalk::yt
