#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "xwalk/base/error.h"
#include "xwalk/hub/finding.h"

namespace xwalk::hub {

/// What a system cannot hold of a schema. All errors are of the code Unsupported.
struct Refused {
  /// Columns without a type there, by their places. Each error has the path.
  std::map<size_t, Error> columns;
  /// Why the columns together are no schema there, if none of them is the reason.
  std::optional<Error> whole;

  bool empty() const { return columns.empty() && !whole; }
  /// Adds the reason of a column that has none. Throws it if `refused` is null.
  static void add(Refused* refused, size_t column, Error why);
};

/// The result of a module's `from_arrow`: its schema, and what the exact mapping does to each path.
/// The module sets rule, path, lost and hint. The crosswalk computes the axes. Only a result
/// without refused columns is used.
template <typename Schema>
struct FromArrow {
  Schema schema;
  Findings findings;
};

}  // namespace xwalk::hub
