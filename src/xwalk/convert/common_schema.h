#pragma once

#include <utility>
#include <vector>

#include "xwalk/crosswalk/row_diff.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/cast.h"

namespace xwalk::io {

/// What the rows of two tables are cast to, so that their values can be compared.
struct CommonSchema {
  hub::Schema schema;
  hub::CompiledCast left;
  hub::CompiledCast right;
  /// What it leaves out.
  std::vector<crosswalk::ColumnDifference> left_out;
};

/// Finds common types for the columns of both, by name: types that hold the values of both if they
/// exist. Members that one side lacks, and columns whose types cannot be converted to each other,
/// are left out. The types have no dictionaries, runs or views at any depth.
CommonSchema common_schema(crosswalk::System left_system, const hub::Schema& left,
                           crosswalk::System right_system, const hub::Schema& right);

}  // namespace xwalk::io
