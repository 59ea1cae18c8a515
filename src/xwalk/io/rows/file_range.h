#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "xwalk/io/bytes/source.h"

namespace xwalk::io {

/// A part of a file that can be read separately, by another process than the other parts: whole
/// rows of YSON or JSON, or row groups of Parquet.
struct Part {
  uint64_t first = 0;  ///< the first byte; of Parquet, the number of the first row group
  uint64_t count = 0;  ///< bytes; row groups
  uint64_t first_row = 0;
  uint64_t rows = 0;
  /// Line and column of the first byte of a text, from 1. Not counted after a binary token.
  uint64_t line = 1;
  uint64_t column = 1;
  bool binary = false;  ///< there is a binary token before

  bool operator==(const Part&) const = default;
};

/// Returns the bytes of a part of rows of YSON or JSON. Throws Error (Input) if the file is too
/// short.
std::unique_ptr<Source> part_source(std::unique_ptr<Source> whole, const Part& part);

}  // namespace xwalk::io
