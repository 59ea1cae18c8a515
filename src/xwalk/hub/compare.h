#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "xwalk/base/path.h"
#include "xwalk/hub/array.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

// Values of two arrays of one type, which has no dictionaries, runs or views at any depth. Indices
// count from each array's own offset.

/// How values are compared. Floats are the same if their bits are, so that -0.0 is not 0.0; all nan
/// are equal, regardless of their bits.
struct Comparison {
  /// Floats are also the same that are no further apart than this times the larger of 1 and of
  /// their magnitudes.
  std::optional<double> tolerance;
};

/// Compares the bytes of `count` elements. True says that all are the same, false that some may not
/// be.
bool same_run(const Type& type, const Array& a, int64_t i, const Array& b, int64_t j,
              int64_t count);

/// Compares two elements, which may be null.
bool same_value(const Type& type, const Array& a, int64_t i, const Array& b, int64_t j,
                const Comparison& how);

/// A place at which two values differ: its field, and where it is in each array.
struct ValuePlace {
  const Path& path;
  const Field& field;
  const Array& left;
  int64_t left_index = 0;
  const Array& right;
  int64_t right_index = 0;
};

/// Calls a function for each place within two elements at which they differ: the deepest there is,
/// or the list, map or union that is of another size or alternative, or the null.
void walk_differences(const Path& path, const Field& field, const Array& a, int64_t i,
                      const Array& b, int64_t j, const Comparison& how,
                      const std::function<void(const ValuePlace&)>& found);

}  // namespace xwalk::hub
