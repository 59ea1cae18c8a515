#pragma once

#include <cstdint>
#include <optional>

#include "xwalk/parquet/column_internal.h"

namespace xwalk::parquet {

/// The way from a value to its row: the columns above it, each a struct or a list.
struct Level {
  const Level* up;
  const Column* column;
  bool list;
};

/// Returns the row of a value, in the batch; nothing for one that no row refers to: below a null,
/// or between lists.
std::optional<int64_t> row_of(const Level* up, int64_t index);

}  // namespace xwalk::parquet
