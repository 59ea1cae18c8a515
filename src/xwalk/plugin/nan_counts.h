#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/result.h>
#include <parquet/schema.h>

namespace xwalk::plugin {

/// Counts the NaNs that each row group has in leaves of floating-point numbers. The smallest and
/// largest values of libparquet leave out NaN, and it does not report that there is one.
class NanCounts {
 public:
  /// `schema` is that of the batches, whose leaves are those of `columns`.
  NanCounts(const arrow::Schema& schema, const parquet::SchemaDescriptor& columns);

  /// Returns the numbers of the leaves that are counted.
  std::vector<int> leaves() const;
  /// Begins a row group. `add` counts the rows of the latest.
  void begin_group() { counts_.resize(counts_.size() + leaves_.size()); }
  arrow::Status add(const arrow::RecordBatch& batch);
  /// Returns the counts as XWALK_ENGINE_NAN_COUNTS describes them.
  std::string text() const;

 private:
  struct Leaf {
    int number;
    /// The column, and the child of each level below that is a struct.
    std::vector<int> path;
  };

  void collect(const arrow::DataType& type, const parquet::SchemaDescriptor& columns,
               std::vector<int>* path, int* number);

  std::vector<Leaf> leaves_;
  std::vector<int64_t> counts_;
};

}  // namespace xwalk::plugin
