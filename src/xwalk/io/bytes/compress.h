#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "xwalk/base/byte_stream.h"
#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// Compresses the output into one gzip member or zstd frame. `position` counts the bytes as stored.
std::unique_ptr<ByteSink> compress(std::unique_ptr<ByteSink> stored, Compression compression,
                                   std::optional<int> level);

/// A codec with its level, if one is given.
struct Codec {
  std::string name;
  std::optional<int> level;
};

/// Parses `zstd`, `zstd:9`. Throws Error (Usage) for another codec than none, snappy, zstd, lz4,
/// gzip and brotli, and for a level that the codec has not.
Codec parse_codec(std::string_view text);

/// Refuses a codec if the output's name implies another compression. Throws Error (Usage).
void check_codec_of_name(const std::string& codec, const std::string& path);

}  // namespace xwalk::io
