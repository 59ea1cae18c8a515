#pragma once

#include <vector>

#include "xwalk/crosswalk/column_keys.h"
#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/type.h"

// The keys by which other tools describe columns, in the plan of a conversion.

namespace xwalk::crosswalk {

/// Returns a schema without the keys by which other tools describe its columns.
hub::Schema bare_of_keys(hub::Schema schema);

/// Adds the source's keys that describe columns to a plan that was made without them, as they
/// describe the columns of its target. A given target has keys of its own. With `adds_rows` these
/// are of existing rows, and one that describes other values than the source's is left out.
void add_column_keys(const hub::Metadata& source, bool adds_rows, Plan* plan);

/// Returns the schema of rows of Parquet without the marks of times that its reader does not
/// know.
hub::Schema without_unread_times(hub::Schema rows);

/// Adds to a plan which times of the source's rows are rejected because they are not known.
void add_unread_times(const hub::Metadata& source, Plan* plan);

/// Adds keys that are not carried, since they no longer describe the columns, to the report.
void add_stale_keys(const std::vector<StaleKey>& stale, Plan* plan);

}  // namespace xwalk::crosswalk
