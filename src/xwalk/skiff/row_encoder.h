#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "xwalk/hub/batch.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/skiff/table.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yson/writer.h"

namespace xwalk::skiff {

class RowPlan;

/// Encodes batches of the schema `to_arrow(schema, table)` as rows of one table. Compiled once;
/// `encode` may be called from several threads at a time, each with its own buffer.
class RowEncoder {
 public:
  /// Throws Error (Unsupported) for a schema that does not fit its table, Error (Usage) for a table
  /// that the schema does not have.
  RowEncoder(const Schema& schema, const WriteOptions& options);
  ~RowEncoder();
  RowEncoder(RowEncoder&&) noexcept;
  RowEncoder& operator=(RowEncoder&&) = delete;

  /// The Arrow schema that batches must have.
  const hub::Schema& schema() const;
  /// Returns which indices rows carry; batches of such rows must be encoded in order.
  const TableLayout& layout() const;

  /// Appends rows [begin, end) of a struct array. Throws Error (Input) with row and column path for
  /// a null that the skiff schema does not allow or a value beyond its wire type; `first_row` is
  /// the number of the array's first row in the input. `first_index` is its `$row_index`, used if
  /// the skiff schema has that column and `controls`, one per row of the array or none, do not set
  /// it. The first row of a call always has its full index.
  void encode(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
              int64_t first_index, yson::Buffer* out,
              std::span<const hub::RowControl> controls = {}) const;

 private:
  std::unique_ptr<const RowPlan> plan_;
};

}  // namespace xwalk::skiff
