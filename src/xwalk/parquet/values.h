#pragma once

#include <optional>
#include <vector>

#include "xwalk/hub/domain.h"
#include "xwalk/hub/finding.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// Returns the schema of raw nesting: every annotation left out, INT96 as 12 bytes. A footer that
/// carries it makes any engine give the values as they are stored.
Schema physical_schema(const Schema& schema);

/// Returns the Arrow schema in which an engine reads and writes the physical nesting: structs and
/// lists follow the groups, leaves the physical types.
hub::Schema physical_arrow(const Schema& schema);

/// What an engine is given to write a file of a schema: batches of `arrow`, leaf by leaf of the
/// schema `written`, whose annotations are those that order statistics and that it knows; without
/// statistics for the leaves named. The footer is completed afterwards with the real schema.
struct EnginePlan {
  hub::Schema arrow;
  Schema written;
  std::vector<int> without_statistics;
};
EnginePlan plan_write(const Schema& schema);

/// Returns which values of files the Arrow type of a field of `to_arrow` lacks, so that rows with
/// them are rejected; nothing if it has all. The path is empty.
std::optional<hub::Finding> unreadable(const hub::Field& field);

/// Returns true for a field of `to_arrow` whose column is INT96.
bool is_int96(const hub::Field& field);

/// Returns what the format requires of the values of a field of `to_arrow` beyond its Arrow type:
/// keys of a map are unique, times are within a day, parts of an interval unsigned, BSON is BSON.
hub::Refinement refine(const hub::Field& field);

}  // namespace xwalk::parquet
