#pragma once

#include <string>

#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// Has the bytes in the window that the schema of a file stands in, for the formats that keep it in
/// a footer, and all bytes for others unless they are more than a schema has. One request where the
/// footer is within the last 64 KiB. Throws Error (Io).
void need_schema(Source& source);

/// Returns which bytes of an object are wanted first: the end if the name is one of a format that
/// keeps its schema there.
FirstFetch first_fetch(const std::string& name);

/// The same as `need_schema` for the manifest of a Lance dataset's version.
void need_lance_manifest(Source& source);

}  // namespace xwalk::io
