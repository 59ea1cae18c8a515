#pragma once

#include "xwalk/io/source.h"

namespace xwalk::io {

/// Has the bytes in the window that the schema of a file stands in, for the formats that keep it in
/// a footer, and all bytes for others unless they are more than a schema has. One request where the
/// footer is within the last 64 KiB. Throws Error (Io).
void need_schema(Source& source);

/// The same for the manifest of a Lance dataset's version.
void need_lance_manifest(Source& source);

}  // namespace xwalk::io
