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

/// Holds what is told of a row against the row before, of which more may be told: control entities
/// cannot take an index back. Throws Error (Input) with the row.
void check_follows(const hub::RowControl& before, const hub::RowControl& next, int64_t row);

/// Encodes batches of the schema `to_arrow(table schema)` as YSON rows. Compiled once; `encode` may
/// be called from several threads at a time, each with a buffer of its own.
class RowEncoder {
 public:
  /// Throws Error (Unsupported) for a type without an Arrow form.
  RowEncoder(const TableSchema& schema, const ValueOptions& options);
  ~RowEncoder();
  RowEncoder(RowEncoder&&) noexcept;
  RowEncoder& operator=(RowEncoder&&) = delete;

  /// The Arrow schema that batches must have.
  const hub::Schema& schema() const;
  /// Returns whether a column of that schema may also come as a dictionary, of 32-bit indices, of
  /// its values.
  bool takes_dictionary(size_t column) const;

  /// Appends rows [begin, end) of a struct array, each with its `;` and, in text, a newline. Throws
  /// Error (Input) with row and column path for a null where the column is required, or a value out
  /// of the range of its type; `first_row` is the number of the array's first row. The buffer then
  /// ends behind the last whole row. `controls`, one per row of the array or none, are written as
  /// control entities before the rows; indices of the first row of a call are given in full. A
  /// buffer with a drain stays below a few mebibytes whatever the rows hold, but for values of
  /// YSON, which are written whole, and the format Pretty; where it throws, what it drained is no
  /// whole row.
  void encode(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
              yson::Buffer* out, std::span<const hub::RowControl> controls = {}) const;

 private:
  void encode_run(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                  yson::Buffer* out) const;
  /// `fields` has what is made of the dictionary of each column; none where there are none.
  void encode_rows_of(const hub::Array& batch, int64_t begin, int64_t end, int64_t first_row,
                      const std::vector<std::shared_ptr<const DictionaryFields>>& fields,
                      yson::Buffer* out) const;

  struct Impl;
  std::unique_ptr<const Impl> impl_;
};

}  // namespace xwalk::yt
