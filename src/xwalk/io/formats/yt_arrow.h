#pragma once

#include <memory>

#include "xwalk/io/rows/piece_reader.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/values.h"

namespace xwalk::io {

/// Wraps a reader of Arrow rows that YTsaurus has written (its format `arrow`) so that columns have
/// their types in the table schema: composite values and decimals decoded from their bytes,
/// timestamps with their zones, intervals, nested optionals, and dictionaries that vary between
/// streams. A column that YTsaurus does not write this way, or that the schema does not have, stays
/// as it is.
std::unique_ptr<SplitReader> as_table_rows(std::unique_ptr<SplitReader> reader,
                                           const yt::TableSchema& table,
                                           const yt::ReadOptions& options);

/// Checks that a table schema describes rows that as_table_rows returned: that it has no other
/// columns if `whole`, and that no column has another type. Text and bytes are the same here, and
/// every column may be null, as YTsaurus writes them. Throws Error (Usage) for the first that
/// differs.
void check_described(const hub::Schema& rows, const yt::TableSchema& table, bool whole);

}  // namespace xwalk::io
