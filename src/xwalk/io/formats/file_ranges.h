#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/io/bytes/source.h"
#include "xwalk/io/formats/format.h"
#include "xwalk/io/rows/file_range.h"

namespace xwalk::io {

/// Cuts a file into parts of about so many bytes, which follow each other and hold all rows. YSON
/// and JSON are passed over once, in bounded memory; of Parquet only the footer is read, and bytes
/// are those before compression. Empty where the file can only be read whole: another format,
/// compressed, YSON or JSON in a store (all of it would be fetched twice), rows with control
/// entities between them (each changes what follows), or not more than one part. Throws Error.
std::vector<Part> parts_of(const std::string& path, Format format, uint64_t bytes,
                           const StorageOptions& storage = {});

/// The same for one format: `RowFormat::parts`. One part or none where there are not several.
std::vector<Part> yson_parts(Source& source, const std::string& path, uint64_t bytes);
std::vector<Part> json_parts(Source& source, const std::string& path, uint64_t bytes);
std::vector<Part> parquet_parts(Source& source, const std::string& path, uint64_t bytes);

}  // namespace xwalk::io
