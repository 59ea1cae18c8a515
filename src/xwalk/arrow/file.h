#pragma once

#include <string_view>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/type.h"

namespace xwalk::arrow {

/// Reads the schema of an Arrow IPC file (its footer) or stream (its first message), natively.
/// Throws Error (Input) with the byte.
hub::Schema read_schema(std::string_view contents);

/// The same from a source: a file needs the source's contents in memory; of a stream only the first
/// message is read. The place of an error names the source.
hub::Schema read_schema(ByteSource& source);

}  // namespace xwalk::arrow
