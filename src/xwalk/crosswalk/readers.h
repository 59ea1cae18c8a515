#pragma once

#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// One column that a reader takes for something else.
struct ReaderRemark {
  std::string reader;
  Path path;
  std::string remark;
};

/// What the readers of one system (`readers_of`) misread.
struct Misreadings {
  System system;
  std::vector<ReaderRemark> remarks;
};

/// Says which reader of its system would misread or refuse which column of a schema, in schema
/// order. What is told is the table of reader_table.h, and for Parquet files what older shapes and
/// annotations do; names of items and types that only look different are no misreading. What
/// `columns`, the same columns with annotations, say of values that no reader knows comes last.
/// Throws Error (Usage) for a system that no reader is known of, Error (Input) where the schema
/// itself has no meaning.
Misreadings misreadings(const AnySchema& schema, const hub::Schema& columns);

/// Says the same of the source of a plan as it is, if that is a Parquet file or stays in its
/// system, else of its target.
Misreadings misreadings(const AnySchema& source, const Plan& plan);

}  // namespace xwalk::crosswalk
