#pragma once

#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"
#include "xwalk/parquet/type.h"

namespace xwalk::crosswalk {

/// One column that a reader of Parquet files takes for something else.
struct ReaderRemark {
  std::string reader;
  Path path;
  std::string remark;
};

/// Says which of pyarrow, DuckDB, arrow-rs and Polars would misread or refuse which column of a
/// Parquet file, in schema order. What is told was measured on pyarrow 26, DuckDB 2.0, arrow-rs
/// (DataFusion 55) and Polars 2.1; names of items and types that only look different are no
/// misreading. What `columns`, the same columns with annotations, say of values that no reader
/// knows comes last. Throws Error (Input) where the schema itself has no meaning.
std::vector<ReaderRemark> misreadings(const parquet::Schema& schema, const hub::Schema& columns);

/// Says the same of the source of a plan, if that is a Parquet file, else of its target. Throws
/// Error (Usage) where neither is.
std::vector<ReaderRemark> misreadings(const AnySchema& source, const Plan& plan);

}  // namespace xwalk::crosswalk
