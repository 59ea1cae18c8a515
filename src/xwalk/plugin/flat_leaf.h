#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/buffer_builder.h>
#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <parquet/metadata.h>
#include <parquet/page_index.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include "xwalk/plugin/distinct.h"

namespace xwalk::plugin {

/// Buffers of an open chunk, which are used for one chunk after the other.
struct FlatScratch {
  explicit FlatScratch(arrow::MemoryPool* pool)
      : levels(pool), numbers(pool), distinct(pool), stamps(pool), page(pool), compressed(pool) {}

  /// Of the open page: the level of each row, and the number in the dictionary of each value.
  Pooled<uint8_t> levels;
  Pooled<uint32_t> numbers;
  Distinct distinct;
  /// The latest page, counted from one, that has each value of the dictionary.
  Pooled<uint32_t> stamps;
  arrow::BufferBuilder page;
  arrow::BufferBuilder compressed;
};

/// Encodes the chunks of a leaf that is in no list, one row group after the other. All may throw.
class FlatLeaf {
 public:
  /// Returns true if a leaf can be encoded here from the columns of a schema.
  static bool takes(const parquet::ColumnDescriptor& leaf, const arrow::Schema& schema);

  /// `properties` and `pool` outlive it.
  static std::unique_ptr<FlatLeaf> make(const parquet::ColumnDescriptor* leaf,
                                        const parquet::WriterProperties* properties,
                                        arrow::MemoryPool* pool);

  virtual ~FlatLeaf() = default;

  virtual bool is_open() const = 0;
  /// Begins a chunk.
  virtual void begin(std::unique_ptr<FlatScratch> scratch) = 0;
  /// Adds the rows of a batch to the chunk.
  virtual arrow::Status add(const arrow::RecordBatch& batch) = 0;
  /// Encodes what is left of the chunk. Returns the buffers.
  virtual arrow::Result<std::unique_ptr<FlatScratch>> end() = 0;
  /// Writes the chunk that has ended, the column `number` of the file; `index` is null without page
  /// index. Returns the number of bytes written.
  virtual int64_t write(const std::shared_ptr<arrow::io::OutputStream>& sink,
                        parquet::ColumnChunkMetaDataBuilder* chunk, int row_group, int number,
                        parquet::PageIndexBuilder* index) = 0;
};

}  // namespace xwalk::plugin
