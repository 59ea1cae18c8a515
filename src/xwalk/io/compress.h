#pragma once

#include <memory>
#include <optional>

#include "xwalk/base/byte_stream.h"
#include "xwalk/io/source.h"

namespace xwalk::io {

/// Compresses what is written, into one gzip member or zstd frame. `position` counts the bytes as
/// stored.
std::unique_ptr<ByteSink> compress(std::unique_ptr<ByteSink> stored, Compression compression,
                                   std::optional<int> level);

}  // namespace xwalk::io
