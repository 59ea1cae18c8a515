#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// A run of bytes of a file that its postscript names.
struct Segment {
  uint64_t offset = 0;
  uint32_t length = 0;
  uint8_t alignment_exponent = 0;
};

/// What the end of a `.vortex` file says, without reading its data.
struct FileFooter {
  uint16_t version = 0;
  std::optional<Segment> dtype;
  std::optional<Segment> layout;
  std::optional<Segment> statistics;
  std::optional<Segment> footer;
  /// Key and segment of each metadata slot.
  std::vector<std::pair<std::string, Segment>> metadata;
};

/// Reads the postscript out of a whole file's bytes. Throws Error (Input) with the byte for a
/// truncated file, wrong magic, or segments that lie outside; Error (Unsupported) for a version
/// other than 1.
FileFooter read_footer(std::string_view file);

/// Reads the dtype out of a whole file's bytes. Throws as above, and Error (Input) if the file was
/// written without its dtype.
DType read_file_dtype(std::string_view file);

/// Returns the rows of the file, as its root layout tells.
std::optional<uint64_t> read_file_rows(std::string_view file);

/// Returns the file with one more metadata slot, or with that slot's bytes replaced. The slot's
/// segment and a new postscript are appended after the old segments. The data is not moved.
///
/// Throws Error (Input) for a file that is not one, or a postscript that would be too long.
std::string with_metadata(std::string_view file, std::string_view key, std::string_view value);

/// The same change as an edit of the file's end: the first `keep` bytes stay, `bytes` follow.
struct MetadataTail {
  uint64_t keep = 0;
  std::string bytes;
};
MetadataTail metadata_tail(std::string_view file, std::string_view key, std::string_view value);

/// Returns the bytes of a metadata slot; empty if the file does not have the slot.
std::optional<std::string_view> find_metadata(std::string_view file, std::string_view key);

}  // namespace xwalk::vortex
