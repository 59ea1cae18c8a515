#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/parquet/column_internal.h"

namespace xwalk::parquet {

/// Finds keys that stand twice in one map. Keys are equal as the hub has it: all NaN are one
/// value, 0 and -0 are two.
class RepeatedKeys {
 public:
  RepeatedKeys(const Column& keys, const hub::Type& type);

  /// Returns how many of the keys from `begin` to `end` stand once more after them; indices count
  /// from the column's own offset.
  int64_t count(int64_t begin, int64_t end);

 private:
  std::string_view bytes_of(int64_t index);

  const Column& keys_;
  const hub::Type& type_;
  size_t width_ = 0;        ///< of keys that compare by their bytes; 0 for text
  bool composite_ = false;  ///< keys that are written out to be compared
  std::string written_;
  std::vector<size_t> ends_;
  std::vector<std::string_view> sorted_;
};

}  // namespace xwalk::parquet
