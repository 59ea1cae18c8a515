#pragma once

#include <string_view>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/type.h"

namespace xwalk::arrow {

/// Returns true for the first bytes, 64 or more, of a stream from before Arrow 0.15: its messages
/// begin with their length, without the marker 0xFFFFFFFF.
bool is_old_stream(std::string_view head);

/// Reads the schema of an Arrow IPC file (its footer) or stream (its first message), natively.
/// Throws Error (Input) with the byte.
hub::Schema read_schema(std::string_view contents);

/// The same from a source: a file needs the source's contents in memory; of a stream only the first
/// message is read. The place of an error names the source.
hub::Schema read_schema(ByteSource& source);

}  // namespace xwalk::arrow
