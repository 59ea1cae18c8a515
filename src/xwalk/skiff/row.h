#pragma once

#include <cstdint>
#include <optional>

#include "xwalk/yson/node.h"

// libxwalk.so shows what the installed headers declare.
#pragma GCC visibility push(default)

namespace xwalk::skiff {

/// A row of a stream of tables.
struct Row {
  uint32_t table = 0;
  /// A map of the columns that are not null, dense ones first, in the positional form of YSON.
  yson::Node columns = yson::Node::map();
  /// Control columns of the row, if the schema has them.
  std::optional<int64_t> row_index;
  std::optional<int64_t> range_index;
  bool key_switch = false;
};

}  // namespace xwalk::skiff

#pragma GCC visibility pop
