#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/rows/file_range.h"

namespace xwalk::io {

/// Cuts a file into consecutive parts of about this many bytes, which hold all rows. YSON and JSON
/// are scanned once, in bounded memory. For Parquet only the footer is read, and bytes are counted
/// before compression. Empty if the file can only be read whole: another format, compressed, YSON
/// or JSON in a store (all of it would be fetched twice), rows with control entities between them
/// (each changes the rows after it), or not more than one part. Throws Error.
std::vector<Part> parts_of(const Location& path, Format format, uint64_t bytes,
                           const StorageOptions& storage = {});

/// The same for one format: `RowFormat::parts`. At most one part if the file cannot be cut.
std::vector<Part> yson_parts(Source& source, const Location& path, uint64_t bytes);
std::vector<Part> json_parts(Source& source, const Location& path, uint64_t bytes);
std::vector<Part> parquet_parts(Source& source, const Location& path, uint64_t bytes);

}  // namespace xwalk::io
