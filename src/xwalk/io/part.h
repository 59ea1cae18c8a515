#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "xwalk/io/source.h"

namespace xwalk::io {

class Format;

/// A part of a file that can be read by itself, by another process than its neighbours: whole rows
/// of YSON or JSON, or row groups of Parquet.
struct Part {
  uint64_t first = 0;  ///< the first byte; of Parquet, the number of the first row group
  uint64_t count = 0;  ///< bytes; row groups
  uint64_t first_row = 0;
  uint64_t rows = 0;
  /// Line and column of the first byte of a text, from 1; not counted on behind a binary token.
  uint64_t line = 1;
  uint64_t column = 1;
  bool binary = false;  ///< a binary token stands before

  bool operator==(const Part&) const = default;
};

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

/// Returns the bytes of a part of rows of YSON or JSON. Throws Error (Input) where the file does
/// not reach so far.
std::unique_ptr<Source> part_source(std::unique_ptr<Source> whole, const Part& part);

}  // namespace xwalk::io
