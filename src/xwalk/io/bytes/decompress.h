#pragma once

#include <memory>

#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// Decompresses a source: one gzip member or zstd frame after another, to the end. Throws Error
/// (Input) with the stored byte for damaged or truncated bytes.
std::unique_ptr<Source> decompress(std::unique_ptr<Source> source, Compression compression);

}  // namespace xwalk::io
