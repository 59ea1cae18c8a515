#pragma once

#include <cstdint>
#include <string>

#include "xwalk/hub/array.h"

namespace xwalk::io {

/// Makes the bytes of rows of which an input has none; YSON of the Arrow values of other rows.
class RowText {
 public:
  virtual ~RowText() = default;
  /// Returns the bytes of a row. Safe to call from several threads.
  virtual std::string text(const hub::Array& rows, int64_t index) const = 0;
};

}  // namespace xwalk::io
