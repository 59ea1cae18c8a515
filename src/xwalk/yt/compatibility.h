#pragma once

#include <string_view>
#include <vector>

#include "xwalk/hub/compatibility.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

using hub::Compatibility;
using hub::CompatibilityOptions;
using hub::CompatibilityResult;
using hub::to_string;

/// Asks whether values of `old_type` are values of `new_type`, by the system's rules. Tags do not
/// matter. `name` begins the path.
CompatibilityResult check_type_compatibility(const Type& old_type, const Type& new_type,
                                             const CompatibilityOptions& options = {},
                                             std::string_view name = "value");

/// Returns every reason why rows of a table with schema `input` may not, or not without a look at
/// their values, be written to, or read as, a table with schema `output`. Empty if they may.
std::vector<CompatibilityResult> table_incompatibilities(const TableSchema& input,
                                                         const TableSchema& output,
                                                         const CompatibilityOptions& options = {});

}  // namespace xwalk::yt
