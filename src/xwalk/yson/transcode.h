#pragma once

#include <string_view>

#include "xwalk/yson/print.h"
#include "xwalk/yson/scan.h"
#include "xwalk/yson/writer.h"

namespace xwalk::yson {

/// Reads one value, text or binary or both, and appends it to `out` in a format, as `print` would
/// write its tree, without building one. `level` is the nesting depth, for the indentation of
/// Pretty. With `count`, what is written is counted. `p` moves as for `skip_value`; `out` may hold
/// half a value on a status other than Ok.
Status transcode(const char*& p, const char* end, Format format, Buffer* out, int max_depth = 255,
                 int level = 0, BufferCount* count = nullptr);

/// Writes a string in a format.
void write_string(std::string_view bytes, Format format, Buffer* out);

}  // namespace xwalk::yson
