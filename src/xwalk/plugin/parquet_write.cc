#include "xwalk/plugin/parquet_write.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <arrow/array/data.h>
#include <arrow/array/util.h>
#include <arrow/memory_pool.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>
#include <arrow/util/key_value_metadata.h>
#include <arrow/util/thread_pool.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_writer.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include "xwalk/plugin/dictionary_choice.h"
#include "xwalk/plugin/flat_file.h"
#include "xwalk/plugin/footer.h"
#include "xwalk/plugin/nan_counts.h"
#include "xwalk/version.h"

namespace xwalk::plugin {
namespace {

/// Bytes of the rows of a row group in memory.
constexpr int64_t kRowGroupBytes = int64_t{128} << 20;

/// Bytes that libparquet may allocate for an open row group. Each column has a table of distinct
/// values, levels and pages, so that thousands of sparse columns take far more than their values.
constexpr int64_t kWriterBytes = int64_t{320} << 20;

/// A row group that ends because of `kWriterBytes` has at least these bytes of rows, so that
/// columns whose tables alone take more do not get a row group per batch.
constexpr int64_t kLeastGroupBytes = int64_t{8} << 20;

/// Batches with fewer values are collected until they have as many, since each write of a column
/// costs more than the first values. Each may keep a file open, so only some are collected.
constexpr int64_t kFewValues = int64_t{32} << 10;
constexpr int64_t kCollectedBytes = int64_t{1} << 20;
constexpr size_t kCollectedBatches = 64;

/// From this number of columns on, a row group is written column by column, from batches that are
/// kept. The open pages of all columns would take as much memory as the values.
constexpr int kManyColumns = 64;

/// Bytes of libparquet's table of distinct values after it has grown once, for more than 511
/// values, and bytes of a dictionary whose table has not.
constexpr int64_t kGrownTableBytes = int64_t{4096} * 24;
constexpr int64_t kSmallDictionaryBytes = 4096;

/// Bytes of the levels of unfinished pages. libparquet keeps a level as two bytes until its page
/// ends.
constexpr int64_t kLevelBytes = int64_t{64} << 20;
constexpr int64_t kLeastPageRows = 2000;

/// Bytes of the levels of the rows that are written at a time, and the most that one row may have.
constexpr int64_t kPieceLevelBytes = int64_t{128} << 20;
constexpr int64_t kMostLevelBytes = int64_t{1} << 30;

/// Returns about how many bytes the levels of elements of an array take in all leaves below it.
/// Each leaf has the levels of all lists above it, also of empty ones. `entries` are those of the
/// lists above.
int64_t level_bytes(const arrow::ArrayData& array, int64_t start, int64_t length, int64_t entries) {
  entries = std::max(entries, length);
  if (array.child_data.empty()) return entries * 4;
  const auto below = [&](int64_t first, int64_t items) {
    const arrow::ArrayData& child = *array.child_data.front();
    return level_bytes(child, child.offset + first, items, entries);
  };
  const auto of_list = [&]<typename Offset>(const Offset* offsets) {
    if (length == 0 || offsets == nullptr) return below(0, 0);
    return below(offsets[start], offsets[start + length] - offsets[start]);
  };
  const arrow::Type::type kind = array.type->id();
  if (kind == arrow::Type::STRUCT) {
    int64_t bytes = 0;
    for (const std::shared_ptr<arrow::ArrayData>& child : array.child_data) {
      bytes += level_bytes(*child, child->offset + start, length, entries);
    }
    return bytes;
  }
  if (kind == arrow::Type::FIXED_SIZE_LIST) {
    const auto& list = static_cast<const arrow::FixedSizeListType&>(*array.type);
    return below(start * list.list_size(), length * list.list_size());
  }
  if (kind == arrow::Type::LIST || kind == arrow::Type::MAP) {
    return of_list(array.GetValues<int32_t>(1, 0));
  }
  if (kind == arrow::Type::LARGE_LIST) return of_list(array.GetValues<int64_t>(1, 0));
  return below(0, array.child_data.front()->length);
}

int64_t level_bytes(const arrow::RecordBatch& batch) {
  int64_t bytes = 0;
  for (const std::shared_ptr<arrow::ArrayData>& column : batch.column_data()) {
    bytes += level_bytes(*column, column->offset, column->length, 0);
  }
  return bytes;
}

/// Writes row groups as batches come. Encoded pages of the open row group are in memory, so a group
/// is closed at its rows, at its bytes, or at the memory it takes, whichever is first.
class ParquetWriter final : public Writer {
 public:
  static arrow::Result<std::unique_ptr<Writer>> create(
      const WriteOptions& options, const std::shared_ptr<arrow::Schema>& schema,
      std::shared_ptr<arrow::io::OutputStream> sink) {
    auto self = std::make_unique<ParquetWriter>();
    self->options_ = options;
    self->schema_ = schema;
    self->sink_ = std::move(sink);
    // The host's own schema: arrays come in its nesting, leaves by physical type.
    self->footer_ = parse_footer(options.footer);
    ARROW_RETURN_NOT_OK(self->set_properties());
    return self;
  }

  arrow::Status write(std::shared_ptr<arrow::RecordBatch> batch) override {
    if (by_column_.value_or(false)) return keep(std::move(batch));
    const int64_t bytes = bytes_kept(*batch);
    if (!by_column_) {
      ARROW_ASSIGN_OR_RAISE(const int64_t taken, arrow::util::ReferencedBufferSize(*batch));
      by_column_ = is_flat_ && footer_->num_columns() >= kManyColumns && taken <= 2 * bytes;
      if (*by_column_) return keep(std::move(batch));
    }
    const int64_t values = level_bytes(*batch) / 4;
    const bool is_large = values >= kFewValues || bytes >= kCollectedBytes;
    if (is_large) {
      ARROW_RETURN_NOT_OK(write_collected());
      return write_now(batch, bytes, 4 * values);
    }
    collected_.push_back(std::move(batch));
    collected_values_ += values;
    collected_bytes_ += bytes;
    const bool is_enough = collected_values_ >= kFewValues || collected_bytes_ >= kCollectedBytes ||
                           collected_.size() == kCollectedBatches;
    return is_enough ? write_collected() : arrow::Status::OK();
  }

  arrow::Status finish() override {
    ARROW_RETURN_NOT_OK(by_column_.value_or(false) ? write_kept(kept_rows_) : write_collected());
    if (!is_open_) ARROW_RETURN_NOT_OK(open());
    auto metadata = arrow::key_value_metadata({XWALK_ENGINE_NAN_COUNTS}, {nans_->text()});
    if (flat_ != nullptr) return flat_->finish(metadata);
    ARROW_RETURN_NOT_OK(writer_->AddKeyValueMetadata(metadata));
    return writer_->Close();
  }

 private:
  arrow::Status set_properties() {
    ARROW_ASSIGN_OR_RAISE(auto codec, codec_of(options_.compression, arrow::Compression::SNAPPY));
    properties_.memory_pool(&pool_);
    properties_.version(parquet::ParquetVersion::PARQUET_2_6);
    properties_.compression(codec);
    if (options_.compression_level) properties_.compression_level(*options_.compression_level);
    properties_.max_row_group_length(options_.row_group_rows);
    properties_.enable_statistics();
    properties_.created_by("xwalk " XWALK_VERSION);
    if (options_.threads > 1 && arrow::GetCpuThreadPoolCapacity() < options_.threads) {
      ARROW_RETURN_NOT_OK(arrow::SetCpuThreadPoolCapacity(options_.threads));
    }
    const parquet::SchemaDescriptor& schema = *footer_->schema();
    const int64_t page_rows = kLevelBytes / std::max<int64_t>(1, schema.num_columns()) / 2;
    properties_.max_rows_per_page(
        std::clamp(page_rows, kLeastPageRows, parquet::kDefaultMaxRowsPerPage));
    if (schema.num_columns() * kGrownTableBytes > kWriterBytes / 2) {
      properties_.dictionary_pagesize_limit(kSmallDictionaryBytes);
    }
    for (int leaf : options_.without_statistics) {
      properties_.disable_statistics(schema.Column(leaf)->path());
    }
    for (const auto& [leaf, name] : options_.leaf_compression) {
      ARROW_ASSIGN_OR_RAISE(auto its, codec_of(name, codec));
      properties_.compression(schema.Column(leaf)->path(), its);
    }
    std::vector<parquet::SortingColumn> sorted_by;
    for (const auto& [leaf, descending, nulls_first] : options_.sorted_by) {
      sorted_by.push_back({leaf, descending != 0, nulls_first != 0});
    }
    if (!sorted_by.empty()) properties_.set_sorting_columns(std::move(sorted_by));
    is_flat_ = FlatFile::takes(*schema_, schema);
    if (options_.page_index) properties_.enable_write_page_index();
    nans_.emplace(*schema_, schema);
    // Statistics of pages, which can hold NaN, are then in the index and not in the pages.
    for (int leaf : nans_->leaves()) {
      properties_.enable_write_page_index(schema.Column(leaf)->path());
    }
    return arrow::Status::OK();
  }

  /// Begins the file.
  arrow::Status open() {
    is_open_ = true;
    if (is_flat_) {
      flat_ = std::make_unique<FlatFile>(std::move(sink_), footer_->schema(), properties_.build(),
                                         options_.threads > 1, &pool_);
      return arrow::Status::OK();
    }
    parquet::ArrowWriterProperties::Builder arrow_properties;
    arrow_properties.set_use_threads(options_.threads > 1);
    auto root =
        std::static_pointer_cast<parquet::schema::GroupNode>(footer_->schema()->schema_root());
    auto file = parquet::ParquetFileWriter::Open(std::move(sink_), root, properties_.build());
    return parquet::arrow::FileWriter::Make(&pool_, std::move(file), schema_,
                                            arrow_properties.build(), &writer_);
  }

  arrow::Status write_collected() {
    if (collected_.empty()) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(auto table, arrow::Table::FromRecordBatches(collected_));
    collected_.clear();
    ARROW_ASSIGN_OR_RAISE(auto joined, table->CombineChunksToBatch(&pool_));
    return write_now(joined, std::exchange(collected_bytes_, 0),
                     4 * std::exchange(collected_values_, 0));
  }

  /// Keeps a batch for the next row group, and writes that if it is full.
  arrow::Status keep(std::shared_ptr<arrow::RecordBatch> batch) {
    ARROW_ASSIGN_OR_RAISE(const int64_t bytes, arrow::util::ReferencedBufferSize(*batch));
    kept_bytes_ += bytes;
    kept_rows_ += batch->num_rows();
    collected_.push_back(std::move(batch));
    while (kept_rows_ >= options_.row_group_rows) {
      ARROW_RETURN_NOT_OK(write_kept(options_.row_group_rows));
    }
    if (kept_bytes_ >= kRowGroupBytes) return write_kept(kept_rows_);
    if (collected_.size() < kCollectedBatches) return arrow::Status::OK();
    ARROW_ASSIGN_OR_RAISE(auto table, arrow::Table::FromRecordBatches(collected_));
    ARROW_ASSIGN_OR_RAISE(auto joined, table->CombineChunksToBatch(&pool_));
    collected_ = {std::move(joined)};
    return arrow::Status::OK();
  }

  /// Writes the first rows that were kept as a row group. A batch larger than a whole group is cut,
  /// so that one batch cannot break the bound.
  arrow::Status write_kept(int64_t rows) {
    if (rows == 0) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(open_for(*collected_.front()));
    ARROW_ASSIGN_OR_RAISE(auto kept, arrow::Table::FromRecordBatches(collected_));
    const int64_t most =
        std::max<int64_t>(1, kept_rows_ * kRowGroupBytes / std::max(kept_bytes_, int64_t{1}));
    for (int64_t at = 0; at < rows;) {
      const int64_t here = std::min(rows - at, 2 * most);
      const auto group = kept->Slice(at, here);
      nans_->begin_group();
      arrow::TableBatchReader reader(*group);
      ARROW_ASSIGN_OR_RAISE(const auto batches, reader.ToRecordBatches());
      for (const auto& batch : batches) ARROW_RETURN_NOT_OK(nans_->add(*batch));
      ARROW_RETURN_NOT_OK(flat_->write_group(batches));
      at += here;
    }
    collected_.clear();
    kept_bytes_ = kept_bytes_ * (kept_rows_ - rows) / kept_rows_;
    kept_rows_ -= rows;
    if (kept_rows_ == 0) return arrow::Status::OK();
    arrow::TableBatchReader rest(kept->Slice(rows));
    return rest.ToRecordBatches().Value(&collected_);
  }

  /// Begins the file, with dictionaries for those columns that the first rows speak for.
  arrow::Status open_for(const arrow::RecordBatch& first) {
    if (is_open_) return arrow::Status::OK();
    if (!is_flat_) {
      for (int leaf : leaves_without_dictionary(first)) {
        properties_.disable_dictionary(footer_->schema()->Column(leaf)->path());
      }
    }
    return open();
  }

  arrow::Status write_now(const std::shared_ptr<arrow::RecordBatch>& batch, int64_t bytes,
                          int64_t levels) {
    ARROW_RETURN_NOT_OK(open_for(*batch));
    // A batch larger than a whole group is cut, so that one batch cannot break the bound.
    const int64_t rows = batch->num_rows();
    const int64_t pieces =
        std::max({int64_t{1}, bytes / kRowGroupBytes, levels / kPieceLevelBytes});
    const int64_t step = std::max<int64_t>(1, rows / pieces);
    for (int64_t at = 0; at < rows;) {
      if (!open_ || is_group_full()) {
        ARROW_RETURN_NOT_OK(flat_ != nullptr ? flat_->end_group() : writer_->NewBufferedRowGroup());
        nans_->begin_group();
        open_ = true;
        group_bytes_ = 0;
        group_rows_ = 0;
      }
      int64_t here = std::min({step, rows - at, options_.row_group_rows - group_rows_});
      auto piece = here == rows ? batch : batch->Slice(at, here);
      if (levels > kPieceLevelBytes) {
        // Rows differ in their lists.
        while (here > 1 && level_bytes(*piece) > 2 * kPieceLevelBytes) {
          here /= 2;
          piece = batch->Slice(at, here);
        }
        if (level_bytes(*piece) > kMostLevelBytes) {
          return arrow::Status::CapacityError(
              "expected a row whose lists have less than ", kMostLevelBytes / 4,
              " elements and empty lists in all columns of Parquet below them, found one with ",
              level_bytes(*piece) / 4);
        }
      }
      ARROW_RETURN_NOT_OK(flat_ != nullptr ? flat_->add(piece) : writer_->WriteRecordBatch(*piece));
      ARROW_RETURN_NOT_OK(nans_->add(*piece));
      if (group_rows_ == 0) first_bytes_ = pool_.bytes_allocated();
      group_rows_ += here;
      group_bytes_ += bytes * here / rows;
      at += here;
    }
    return arrow::Status::OK();
  }

  /// Returns about how many bytes the open row group keeps of a batch: of a null nothing, since
  /// libparquet packs the levels of a page at its end, after 20,000 rows at most.
  static int64_t bytes_kept(const arrow::RecordBatch& batch) {
    int64_t bytes = 0;
    for (const std::shared_ptr<arrow::ArrayData>& column : batch.column_data()) {
      const int64_t values = column->length - column->GetNullCount();
      if (values == 0) continue;
      if (arrow::is_fixed_width(*column->type)) {
        bytes += values * column->type->bit_width() / 8;
      } else {
        bytes += arrow::util::ReferencedBufferSize(*arrow::MakeArray(column)).ValueOr(0);
      }
    }
    return bytes;
  }

  bool is_group_full() const {
    const int64_t taken = pool_.bytes_allocated();
    return group_rows_ >= options_.row_group_rows || group_bytes_ >= kRowGroupBytes ||
           (group_bytes_ >= kLeastGroupBytes && taken >= kWriterBytes) ||
           taken - first_bytes_ >= kWriterBytes;
  }

  WriteOptions options_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<parquet::FileMetaData> footer_;
  std::shared_ptr<arrow::io::OutputStream> sink_;
  parquet::WriterProperties::Builder properties_;
  /// Counts what the writer allocates. The writer is destroyed before its pool.
  arrow::ProxyMemoryPool pool_{arrow::default_memory_pool()};
  bool is_open_ = false;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::unique_ptr<FlatFile> flat_;
  std::optional<NanCounts> nans_;
  /// Whether no column is in a list.
  bool is_flat_ = false;
  /// Whether row groups are written column by column; decided by the first batch.
  std::optional<bool> by_column_;
  /// Of the batches that are kept for a row group.
  int64_t kept_rows_ = 0;
  int64_t kept_bytes_ = 0;
  /// Batches that are not written yet: small ones, or those of the next row group.
  std::vector<std::shared_ptr<arrow::RecordBatch>> collected_;
  int64_t collected_values_ = 0;
  int64_t collected_bytes_ = 0;
  bool open_ = false;
  int64_t group_bytes_ = 0;
  int64_t group_rows_ = 0;
  /// What libparquet has allocated after the first rows of the group: the least that its columns
  /// take.
  int64_t first_bytes_ = 0;
};

}  // namespace

arrow::Result<std::unique_ptr<Writer>> create_parquet(
    const WriteOptions& options, const std::shared_ptr<arrow::Schema>& schema,
    std::shared_ptr<arrow::io::OutputStream> sink) {
  return ParquetWriter::create(options, schema, std::move(sink));
}

}  // namespace xwalk::plugin
