#pragma once

#include "xwalk/hub/cast/kernel.h"

namespace xwalk::hub::cast {

/// Returns true for a struct of a time and the name of its zone, as YTsaurus's `tz_*` types are in
/// Arrow.
bool is_zoned_time(const Type& type);

/// Returns true for a struct of an instant and an offset from UTC, the storage of
/// `arrow.timestamp_with_offset`.
bool is_offset_time(const Type& type);

/// Compiles a time with the name of its zone to and from a time with its offset from UTC, the
/// storage of `arrow.timestamp_with_offset`. Returns nothing for other structs.
Compiled compile_zoned_times(Compiler& compiler, const Field& from, const Field& to,
                             const Path& path);

}  // namespace xwalk::hub::cast
