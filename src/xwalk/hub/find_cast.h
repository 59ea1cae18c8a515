#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "xwalk/base/error.h"
#include "xwalk/hub/cast_options.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

class CompiledCast;

/// Why there is no conversion.
struct NoCast {
  /// The first reason; empty if there is a conversion. One that no column has is about the rows.
  std::optional<Error> first;
  /// Columns without one, by their places in the source.
  std::map<size_t, Error> of_source;
  /// Columns that the source lacks and nulls cannot fill, by their places in the target.
  std::map<size_t, Error> of_target;
};

/// Compiles the same as `compile_cast`. Without a conversion the result is empty, and `why` gets
/// the reasons; throws the first if `why` is null.
std::optional<CompiledCast> find_cast(const Schema& from, const Schema& to,
                                      const CastOptions& options, NoCast* why);

}  // namespace xwalk::hub
