#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

// Checksums of values that do not depend on the order of rows. docs/reference/checksums.md defines
// them, so that other programs can compute them. A change of the definition is a new
// `kChecksumName`.

/// The name of the definition.
inline constexpr const char* kChecksumName = "xwalk-sum64-1";

/// Counts and checksum of one column.
struct ColumnSum {
  /// Values that are not null.
  uint64_t values = 0;
  uint64_t nulls = 0;
  /// The sum of the hashes of the values, modulo 2^64.
  uint64_t sum = 0;

  friend bool operator==(const ColumnSum&, const ColumnSum&) = default;
};

/// Adds up checksums of the rows of one schema, whose types have no dictionaries, runs or views.
class RowSums {
 public:
  explicit RowSums(const Schema& schema) : columns_(schema.fields.size()) {}

  /// Adds the rows of a batch except its bad rows.
  void add(const Schema& schema, const Batch& batch);
  void merge(const RowSums& other);

  const std::vector<ColumnSum>& columns() const { return columns_; }
  uint64_t rows() const { return rows_; }
  /// The sum of the hashes of whole rows, modulo 2^64: different if values moved between rows.
  uint64_t sum() const { return sum_; }

 private:
  std::vector<ColumnSum> columns_;
  uint64_t rows_ = 0;
  uint64_t sum_ = 0;
};

/// Returns the hash of one value that is not null. `index` counts within the array.
uint64_t value_hash(const Type& type, const Array& array, int64_t index);

}  // namespace xwalk::hub
