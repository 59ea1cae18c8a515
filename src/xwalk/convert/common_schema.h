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

/// Finds types that the columns of both have a way to, by name: those that hold the values of both
/// where there are such. Members that one side lacks, and columns between whose types there is no
/// way, are left out. Types have no dictionaries, runs or views at any depth.
CommonSchema common_schema(crosswalk::System left_system, const hub::Schema& left,
                           crosswalk::System right_system, const hub::Schema& right);

}  // namespace xwalk::io
