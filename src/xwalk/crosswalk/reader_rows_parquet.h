#pragma once

#include <span>

#include "xwalk/crosswalk/reader_table.h"
#include "xwalk/parquet/type.h"

namespace xwalk::crosswalk {

using ParquetRow = ReaderRow<parquet::LogicalKind, parquet::Node>;

/// Returns the rows for Parquet files.
std::span<const ParquetRow> parquet_rows();

}  // namespace xwalk::crosswalk
