#include <algorithm>

#include "xwalk/parquet/level_internal.h"

namespace xwalk::parquet {

std::optional<int64_t> row_of(const Level* up, int64_t index) {
  for (const Level* level = up; level != nullptr; level = level->up) {
    const Column& column = *level->column;
    if (level->list) {
      const int32_t* begin = column.offsets() + column.offset;
      const int32_t* found =
          std::upper_bound(begin, begin + column.length + 1, static_cast<int32_t>(index));
      if (found == begin || found == begin + column.length + 1) return std::nullopt;
      index = found - begin - 1;
    } else {
      index -= column.offset;
      if (index < 0 || index >= column.length) return std::nullopt;
    }
    if (!column.valid(index)) return std::nullopt;
  }
  return index;
}

}  // namespace xwalk::parquet
