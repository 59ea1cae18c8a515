#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/metadata.h>
#include <parquet/page_index.h>
#include <parquet/properties.h>

#include "xwalk/plugin/flat_leaf.h"

namespace xwalk::plugin {

/// Writes a Parquet file whose leaves are in no lists. All may throw.
class FlatFile {
 public:
  using Batches = std::span<const std::shared_ptr<arrow::RecordBatch>>;

  /// Returns true if all leaves can be written here.
  static bool takes(const arrow::Schema& schema, const parquet::SchemaDescriptor& columns);

  /// Begins the file. `columns` and `pool` outlive it.
  FlatFile(std::shared_ptr<arrow::io::OutputStream> sink, const parquet::SchemaDescriptor* columns,
           std::shared_ptr<parquet::WriterProperties> properties, bool parallel,
           arrow::MemoryPool* pool);

  /// Adds rows to the open row group, or to a new one.
  arrow::Status add(const std::shared_ptr<arrow::RecordBatch>& batch);
  /// Writes the open row group, if there is one.
  arrow::Status end_group();
  /// Writes a whole row group, some columns at a time.
  arrow::Status write_group(Batches batches);
  arrow::Status finish(const std::shared_ptr<const arrow::KeyValueMetadata>& metadata);

 private:
  void begin_group();
  /// Adds rows to some leaves, in parallel if that is wanted; writes the chunks if they end.
  arrow::Status encode(size_t begin, size_t end, Batches batches, bool ends);
  std::unique_ptr<FlatScratch> take_scratch();
  void give_scratch(std::unique_ptr<FlatScratch> scratch);
  void close_group();

  std::shared_ptr<arrow::io::OutputStream> sink_;
  std::shared_ptr<parquet::WriterProperties> properties_;
  bool parallel_;
  arrow::MemoryPool* pool_;
  std::unique_ptr<parquet::FileMetaDataBuilder> footer_;
  std::unique_ptr<parquet::PageIndexBuilder> index_;
  std::vector<std::unique_ptr<FlatLeaf>> leaves_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<FlatScratch>> idle_;
  /// Null between row groups.
  parquet::RowGroupMetaDataBuilder* group_ = nullptr;
  int groups_ = 0;
  int64_t group_rows_ = 0;
  int64_t group_bytes_ = 0;
};

}  // namespace xwalk::plugin
