#pragma once

#include <memory>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/builder.h"
#include "xwalk/hub/type.h"
#include "xwalk/yson/node.h"

namespace xwalk::hub {

/// Returns the schema with the plain layout of each type: without large, view, run-end, dictionary
/// and fixed-size list types, which have no builder.
Schema plain_layouts(const Schema& schema);

/// Builds rows of a schema from the YSON that `append_yson` writes.
class YsonRowBuilder {
 public:
  /// Throws Error (Unsupported) for a schema that has other layouts than `plain_layouts`.
  explicit YsonRowBuilder(const Schema& schema);

  /// Appends a row. Throws Error (Input) with the path for a value that the column's type does not
  /// have, and for a column that is missing or unknown; then the row is null or zero.
  void append(const yson::Node& row);
  int64_t rows() const { return rows_; }
  /// Returns the rows and leaves the builder empty.
  Array finish();

 private:
  Schema schema_;
  std::vector<ColumnBuilder> columns_;
  int64_t rows_ = 0;
};

}  // namespace xwalk::hub
