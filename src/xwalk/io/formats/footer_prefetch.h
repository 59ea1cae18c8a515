#pragma once

#include <string>

#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// Prefetches the bytes that hold a file's schema: the footer, if the format has one, else all
/// bytes unless they are more than a schema needs. One request if the footer is within the last 64
/// KiB. Throws Error (Io).
void need_schema(Source& source);

/// Returns which bytes of an object to request first: the end if the name has the extension of a
/// format that keeps its schema there.
FirstFetch first_fetch(const std::string& name);

/// The same as `need_schema` for the manifest of a Lance dataset's version.
void need_lance_manifest(Source& source);

}  // namespace xwalk::io
