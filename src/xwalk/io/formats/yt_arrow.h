#pragma once

#include <memory>

#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/values.h"

namespace xwalk::io {

/// Wraps a reader of Arrow rows that YTsaurus has written (its format `arrow`) so that columns come
/// as their types in the table schema say: composite values and decimals out of their bytes,
/// instants with their zones, intervals, absences within absences, whatever is coded by a
/// dictionary here and plain there. A column that YTsaurus would not write so, or that the schema
/// does not have, stays as it is.
std::unique_ptr<SplitReader> as_table_rows(std::unique_ptr<SplitReader> reader,
                                           const yt::TableSchema& table,
                                           const yt::ReadOptions& options);

}  // namespace xwalk::io
