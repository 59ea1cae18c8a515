#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "xwalk/hub/batch.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

class DictionaryFields;

/// Checks that a row's control attributes may follow those of the row before: control entities
/// cannot unset an index. Throws Error (Input) with the row.
void check_follows(const hub::RowControl& before, const hub::RowControl& next, int64_t row);

/// Encodes batches of the schema `to_arrow(table schema)` as YSON rows. Compiled once; `encode` may
/// be called from several threads at a time, each with its own buffer.
class RowEncoder {
 public:
  /// Throws Error (Unsupported) for a type without an Arrow form.
  RowEncoder(const TableSchema& schema, const ValueOptions& options);
  ~RowEncoder();
  RowEncoder(RowEncoder&&) noexcept;
  RowEncoder& operator=(RowEncoder&&) = delete;

  /// The Arrow schema that batches must have.
  const hub::Schema& schema() const;
  /// Returns true if a column of that schema may also be a dictionary, with 32-bit indices, of its
  /// values.
  bool takes_dictionary(size_t column) const;

  /// Appends rows [begin, end) of a struct array, each with its `;` and, in text, a newline. Throws
  /// Error (Input) with row and column path for a null in a required column, or a value out of the
  /// range of its type; `first_row` is the number of the array's first row. The buffer then ends
  /// after the last whole row. `controls`, one per row of the array or none, are written as control
  /// entities before the rows; indices of the first row of a call are given in full. A buffer with
  /// a drain stays below a few mebibytes, except for YSON values, which are written whole, and the
  /// format Pretty. If it throws, the drained bytes may end inside a row.
  void encode(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
              yson::Buffer* out, std::span<const hub::RowControl> controls = {}) const;

 private:
  void encode_run(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                  yson::Buffer* out) const;
  /// `fields` has the encoded dictionary of each dictionary column. Empty if there are no
  /// dictionary columns.
  void encode_rows_of(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                      const std::vector<std::shared_ptr<const DictionaryFields>>& fields,
                      yson::Buffer* out) const;

  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace xwalk::yt
