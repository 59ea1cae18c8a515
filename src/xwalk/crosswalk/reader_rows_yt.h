#pragma once

#include <span>

#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/yt/type.h"

namespace xwalk::crosswalk {

using TableRow = ReaderRow<yt::TypeKind, yt::Type>;

/// Returns the rows for tables of YTsaurus.
std::span<const TableRow> table_rows();

}  // namespace xwalk::crosswalk
