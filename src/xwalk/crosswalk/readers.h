#pragma once

#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// One column that a reader misreads.
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

/// Returns which reader of its system would misread or refuse which column of a schema, in schema
/// order: by the table of reader_table.h, and for Parquet files by older shapes and annotations.
/// Different names of items and equivalent types are not misreadings. Findings about `columns`, the
/// same columns with annotations, that no reader knows come last. Throws Error (Usage) for a system
/// without known readers, Error (Input) if the schema itself is invalid.
Misreadings misreadings(const AnySchema& schema, const hub::Schema& columns);

/// Does the same for a plan: for its source if that is a Parquet file or stays in its system, else
/// for its target.
Misreadings misreadings(const AnySchema& source, const Plan& plan);

}  // namespace xwalk::crosswalk
