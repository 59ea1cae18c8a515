#include "xwalk/plugin/parquet_read.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <arrow/table.h>
#include <arrow/util/config.h>
#include <arrow/util/thread_pool.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/size_statistics.h>

#include "xwalk/plugin/footer.h"
#include "xwalk/plugin/large_values.h"
#include "xwalk/plugin/memory.h"

namespace xwalk::plugin {
namespace {

/// Row groups are read in runs of at least this many batches, so that small groups do not mean
/// small batches, and no longer, so that memory of the input can be given back.
constexpr int64_t kBatchesPerRun = 4;
/// Columns of smaller files are decoded by one thread, since a task per column takes longer.
constexpr uint64_t kBytesForThreads = uint64_t{256} << 10;
/// Bytes of fetched row groups that may be in memory: a part of what the input may take.
constexpr int64_t kPartOfMemory = 8;
constexpr int64_t kLeastFetched = int64_t{8} << 20;
constexpr int64_t kMostFetched = int64_t{64} << 20;
/// Bytes of one column that are prefetched if a run does not fit into that.
constexpr int64_t kLeastAhead = int64_t{64} << 10;
constexpr int64_t kMostAhead = int64_t{4} << 20;

/// Many columns that are small in memory are decoded some at a time, each of them whole: the open
/// pages and dictionaries of all would take more than their values.
constexpr size_t kManyLeaves = 64;
constexpr int64_t kWholeBytes = int64_t{128} << 20;
constexpr size_t kFieldsAtOnce = 8;

/// Reads a Parquet file run by run of row groups. One batch is in memory at a time, and one page of
/// each column; or the values of a run, and some columns' pages.
class ParquetReader final : public Reader {
 public:
  static arrow::Result<std::unique_ptr<Reader>> open(const ReadOptions& options,
                                                     std::shared_ptr<SourceOwner> source) {
    auto self = std::make_unique<ParquetReader>();
    self->options_ = options;
    self->cutter_ = BatchCutter(options.batch_rows);
    self->source_ = std::move(source);
    self->pool_ = make_limited_pool(options.max_memory);

    parquet::ReaderProperties properties(self->pool_.get());
    properties.set_page_checksum_verification(true);
    const bool use_threads = options.threads > 1 && self->source_->get().size >= kBytesForThreads;
    parquet::ArrowReaderProperties arrow_properties(use_threads);
    // The extension types of Arrow's own canon: json, uuid, variant.
    arrow_properties.set_arrow_extensions_enabled(true);
    // The contents are in memory already, or the host fetches ahead.
    arrow_properties.set_pre_buffer(false);
    if (!self->source_->in_memory()) {
      const auto leaves = static_cast<int64_t>(options.leaves.size());
      properties.enable_buffered_stream();
      properties.set_buffer_size(self->ahead_of(leaves) / 4);
    }
    if (use_threads && arrow::GetCpuThreadPoolCapacity() < options.threads) {
      ARROW_RETURN_NOT_OK(arrow::SetCpuThreadPoolCapacity(options.threads));
    }
    for (int leaf : options.dictionaries) arrow_properties.set_read_dictionary(leaf, true);
    ARROW_RETURN_NOT_OK(caught([&] {
      const auto contents = open_contents(self->source_);
      auto reader = parquet::ParquetFileReader::Open(contents, properties,
                                                     parse_footer(options.footer, properties));
      if (!options.large_chunks.empty()) {
        self->large_ = std::make_shared<LargeValues>(contents, properties, options.large_chunks);
        reader = self->large_->over(std::move(reader));
      }
      return make_reader(self->pool_.get(), std::move(reader), arrow_properties)
          .Value(&self->reader_);
    }));

    const parquet::FileMetaData& metadata = *self->reader_->parquet_reader()->metadata();
    for (int leaf : options.leaves) {
      if (leaf < 0 || leaf >= metadata.num_columns()) {
        return arrow::Status::Invalid("there is no leaf ", leaf);
      }
      if (metadata.schema()->Column(leaf)->max_repetition_level() > 0) self->repeated_ = true;
    }
    ARROW_RETURN_NOT_OK(self->find_schema());
    return self;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  std::optional<int64_t> rows() const override {
    // Some writers leave out the number of all rows.
    int64_t rows = 0;
    for (int group = 0; group < reader_->num_row_groups(); ++group) rows += rows_of(group);
    return rows;
  }

  arrow::Result<std::shared_ptr<arrow::RecordBatch>> next() override {
    while (cutter_.empty()) {
      if (run_ == nullptr) {
        if (next_group_ == reader_->num_row_groups()) {
          done_with_run();
          return nullptr;
        }
        ARROW_RETURN_NOT_OK(start_run());
      }
      std::shared_ptr<arrow::RecordBatch> batch;
      ARROW_RETURN_NOT_OK(in_column(caught([&] { return run_->ReadNext(&batch); })));
      if (batch != nullptr) {
        rows_left_ -= batch->num_rows();
        if (rows_left_ >= 0) {
          cutter_.put(std::move(batch));
          break;
        }
      }
      if (rows_left_ != 0) {
        return in_column(arrow::Status::Invalid("the columns do not have the rows that it says"));
      }
      run_ = nullptr;
      done_with_run();
    }
    if (std::ranges::find(noted_, true) == noted_.end()) return cutter_.take();
    std::shared_ptr<arrow::RecordBatch> notes = cutter_.take();
    const int64_t rows = large_->rows_within(*notes, noted_, options_.batch_bytes);
    if (rows < notes->num_rows()) {
      cutter_.put_back(*notes, rows);
      notes = notes->Slice(0, rows);
    }
    return large_->with_values(*notes, noted_);
  }

 private:
  /// Finds the schema of the selection, nested parts too: that of the first run, or of a run
  /// without row groups.
  arrow::Status find_schema() {
    if (reader_->num_row_groups() > 0) {
      ARROW_RETURN_NOT_OK(start_run());
      schema_ = run_->schema();
      return arrow::Status::OK();
    }
    ARROW_ASSIGN_OR_RAISE(auto empty, reader_->GetRecordBatchReader({}, options_.leaves));
    schema_ = empty->schema();
    return arrow::Status::OK();
  }

  static arrow::Result<std::unique_ptr<parquet::arrow::FileReader>> make_reader(
      arrow::MemoryPool* pool, std::unique_ptr<parquet::ParquetFileReader> reader,
      const parquet::ArrowReaderProperties& properties) {
#if ARROW_VERSION_MAJOR >= 26
    return parquet::arrow::FileReader::Make(pool, std::move(reader), properties);
#else
    std::unique_ptr<parquet::arrow::FileReader> out;
    ARROW_RETURN_NOT_OK(
        parquet::arrow::FileReader::Make(pool, std::move(reader), properties, &out));
    return out;
#endif
  }

  /// Returns what a call throws as a status.
  template <typename Call>
  static arrow::Status caught(Call call) {
    BEGIN_PARQUET_CATCH_EXCEPTIONS
    return call();
    END_PARQUET_CATCH_EXCEPTIONS
  }

  /// Returns the rows that a row group has.
  int64_t rows_of(int group) const {
    const int64_t recorded = reader_->parquet_reader()->metadata()->RowGroup(group)->num_rows();
    return std::max<int64_t>(0, recorded - (options_.one_row_more ? 1 : 0));
  }

  /// Reads a column of a row group separately and checks that it has the rows of the group.
  arrow::Status read_alone(int group, int leaf) {
    ARROW_ASSIGN_OR_RAISE(auto reader, reader_->GetRecordBatchReader({group}, {leaf}));
    std::shared_ptr<arrow::RecordBatch> batch;
    int64_t rows = 0;
    do {
      ARROW_RETURN_NOT_OK(reader->ReadNext(&batch));
      if (batch != nullptr) rows += batch->num_rows();
    } while (batch != nullptr);
    if (rows == rows_of(group)) return arrow::Status::OK();
    return arrow::Status::Invalid("expected ", rows_of(group), " rows, found ", rows);
  }

  /// Names the column and the row group of an error of the run: each is read again separately.
  arrow::Status in_column(const arrow::Status& status) {
    // What takes too much memory would take it again.
    if (status.ok() || status.IsOutOfMemory()) return status;
    for (int group = first_group_; group < next_group_; ++group) {
      for (int leaf : options_.leaves) {
        const arrow::Status alone = caught([&] { return read_alone(group, leaf); });
        if (alone.ok()) continue;
        const auto* column = reader_->parquet_reader()->metadata()->schema()->Column(leaf);
        return alone.WithMessage(column->path()->ToDotString(), ": row group ", group, ": ",
                                 alone.message());
      }
    }
    const std::string last =
        next_group_ - first_group_ > 1 ? " to " + std::to_string(next_group_ - 1) : "";
    return status.WithMessage("row group ", first_group_, last, ": ", status.message());
  }

  /// Returns a number of rows near `wanted` such that the last batch has room for one more: a row
  /// that should not be there ends a run unless it comes with others. If rows are so large that at
  /// most `most` fit in a batch, there may be no such space.
  static int64_t batch_with_space(int64_t rows, int64_t wanted, int64_t most) {
    int64_t fewer = wanted;
    while (fewer > 1 && rows % fewer == 0) --fewer;
    if (fewer > 1) return fewer;
    int64_t more = wanted;
    while (rows % more == 0 && more <= rows) ++more;
    return more <= most ? more : wanted;
  }

  /// Opens the next run of row groups, with batches that stay within the bytes asked for as far as
  /// the footer tells.
  arrow::Status start_run() {
    const parquet::FileMetaData& metadata = *reader_->parquet_reader()->metadata();
    first_group_ = next_group_;
    const std::vector<int> groups = run_from(first_group_);
    if (large_ != nullptr) large_->forget();
    noted_ = noted_in(first_group_);
    next_group_ += static_cast<int>(groups.size());
    int64_t rows = 0;
    int64_t bytes = 0;
    for (const int number : groups) {
      auto group = metadata.RowGroup(number);
      rows += rows_of(number);
      for (int leaf : options_.leaves) {
        bytes += std::max<int64_t>(0, group->ColumnChunk(leaf)->total_uncompressed_size());
      }
    }
    released_ = false;
    fetch(groups);
    rows_left_ = rows;
    // Dictionaries make rows larger in memory than in the file; eight bytes per value is a floor.
    int64_t row_bytes = std::max<int64_t>(bytes / std::max<int64_t>(1, rows),
                                          8 * static_cast<int64_t>(options_.leaves.size()));
    int64_t fitting = options_.batch_bytes / std::max<int64_t>(1, row_bytes);
    int64_t batch_rows = std::clamp<int64_t>(fitting, 1, options_.batch_rows);
    if (options_.one_row_more) {
      batch_rows = batch_with_space(rows, batch_rows, std::max<int64_t>(1, fitting));
    }
    if (is_read_whole(groups, rows)) {
      return in_column(caught([&] { return read_whole(groups, rows, batch_rows); }));
    }
    reader_->set_batch_size(batch_rows);
    return in_column(caught(
        [&] { return reader_->GetRecordBatchReader(groups, options_.leaves).Value(&run_); }));
  }

  /// Returns true if the columns of a run are many, and its values take little memory as far as the
  /// footer says.
  bool is_read_whole(const std::vector<int>& groups, int64_t rows) const {
    if (rows == 0 || options_.leaves.size() < kManyLeaves || !source_->in_memory() ||
        large_ != nullptr || repeated_ || options_.one_row_more) {
      return false;
    }
    const parquet::FileMetaData& metadata = *reader_->parquet_reader()->metadata();
    const int64_t most = std::min(kWholeBytes, options_.max_memory / kPartOfMemory);
    int64_t bytes = 0;
    for (const int leaf : options_.leaves) {
      const parquet::ColumnDescriptor& column = *metadata.schema()->Column(leaf);
      const bool is_text = column.physical_type() == parquet::Type::BYTE_ARRAY;
      bytes += rows * (is_text ? 8 : std::max(column.type_length(), 8));
      for (const int group : groups) {
        if (bytes > most) return false;
        if (!is_text) continue;
        const auto chunk = metadata.RowGroup(group)->ColumnChunk(leaf);
        const auto sizes = chunk->size_statistics();
        if (sizes != nullptr && sizes->unencoded_byte_array_data_bytes) {
          bytes += std::max<int64_t>(0, *sizes->unencoded_byte_array_data_bytes);
        } else if (chunk->has_dictionary_page()) {
          return false;  // Any number of values may be in the dictionary once.
        } else {
          bytes += std::max<int64_t>(0, chunk->total_uncompressed_size());
        }
      }
    }
    return bytes <= most;
  }

  /// Decodes a run, and begins to give out its rows.
  arrow::Status read_whole(const std::vector<int>& groups, int64_t rows, int64_t batch_rows) {
    const parquet::SchemaDescriptor& schema = *reader_->parquet_reader()->metadata()->schema();
    reader_->set_batch_size(std::max<int64_t>(1, rows));
    arrow::FieldVector fields;
    arrow::ChunkedArrayVector columns;
    std::shared_ptr<const arrow::KeyValueMetadata> notes;
    for (auto first = options_.leaves.begin(); first != options_.leaves.end();) {
      auto last = first;
      for (size_t count = 0; last != options_.leaves.end(); ++last) {
        const bool begins =
            last == first || schema.GetColumnRoot(*last) != schema.GetColumnRoot(*std::prev(last));
        if (begins && count++ == kFieldsAtOnce) break;
      }
      // guard(allocate): By the footer the values of the run are few, and the pool has a limit.
      const std::vector<int> leaves(first, last);
      ARROW_ASSIGN_OR_RAISE(auto some, reader_->GetRecordBatchReader(groups, leaves));
      ARROW_ASSIGN_OR_RAISE(const auto whole, some->ToTable());
      if (whole->num_rows() != rows) {
        return arrow::Status::Invalid("the columns do not have the rows that it says");
      }
      std::ranges::copy(whole->fields(), std::back_inserter(fields));
      std::ranges::copy(whole->columns(), std::back_inserter(columns));
      notes = whole->schema()->metadata();
      for (const auto& [begin, size] : chunks_of(groups, leaves)) source_->consumed(begin, size);
      first = last;
    }
    released_ = true;
    auto batches = std::make_unique<arrow::TableBatchReader>(
        arrow::Table::Make(arrow::schema(std::move(fields), notes), columns, rows));
    batches->set_chunksize(batch_rows);
    run_ = std::move(batches);
    return arrow::Status::OK();
  }

  /// Returns the run of row groups that begins with a group.
  std::vector<int> run_from(int first) const {
    std::vector<int> groups;
    int64_t rows = 0;
    for (int group = first; group < reader_->num_row_groups(); ++group) {
      if (!groups.empty() && (repeated_ || rows >= kBatchesPerRun * options_.batch_rows)) break;
      if (!groups.empty() && noted_in(group) != noted_in(first)) break;
      rows += rows_of(group);
      groups.push_back(group);
    }
    return groups;
  }

  /// Returns which of the leaves are read as notes in a row group; empty if no leaf is.
  std::vector<bool> noted_in(int group) const {
    std::vector<bool> noted;
    if (large_ == nullptr) return noted;
    for (const int leaf : options_.leaves) noted.push_back(large_->holds(group, leaf));
    return noted;
  }

  static int64_t start_of(const parquet::ColumnChunkMetaData& chunk) {
    int64_t start = chunk.data_page_offset();
    if (chunk.has_dictionary_page() && chunk.dictionary_page_offset() > 0) {
      start = std::min(start, chunk.dictionary_page_offset());
    }
    return start;
  }

  /// Returns the bytes of fetched row groups that may be in memory.
  int64_t most_fetched() const {
    return std::clamp(options_.max_memory / kPartOfMemory, kLeastFetched, kMostFetched);
  }
  /// Returns how far the columns are prefetched if they do not fit into that.
  int64_t ahead_of(int64_t leaves) const {
    return std::clamp(most_fetched() / (2 * std::max<int64_t>(1, leaves)), kLeastAhead, kMostAhead);
  }

  /// Has the host fetch what will be read of a run: the whole and the next one while it is decoded,
  /// or each column some way ahead.
  void fetch(const std::vector<int>& groups) {
    if (source_->in_memory()) return;
    auto chunks = chunks_of(groups, options_.leaves);
    auto next = chunks_of(run_from(next_group_), options_.leaves);
    int64_t bytes = 0;
    for (const auto* run : {&chunks, &next}) {
      for (const auto& [begin, size] : *run) bytes += std::min(size, INT64_MAX - bytes);
    }
    released_ = bytes > most_fetched();
    const int64_t ahead = ahead_of(static_cast<int64_t>(options_.leaves.size()));
    if (!released_) std::ranges::move(next, std::back_inserter(chunks));
    source_->fetch_ahead(std::move(chunks), released_ ? ahead : INT64_MAX);
    if (!released_) source_->fetch_ahead({}, INT64_MAX);
  }

  /// Returns the places and sizes of the chunks of some leaves in row groups.
  std::vector<std::pair<int64_t, int64_t>> chunks_of(const std::vector<int>& groups,
                                                     const std::vector<int>& leaves) const {
    std::vector<std::pair<int64_t, int64_t>> chunks;
    for (const int number : groups) {
      auto group = reader_->parquet_reader()->metadata()->RowGroup(number);
      for (const int leaf : leaves) {
        auto chunk = group->ColumnChunk(leaf);
        const int64_t start = start_of(*chunk);
        const int64_t size = chunk->total_compressed_size();
        if (start < 0 || size < 0 || size > INT64_MAX - start) continue;
        chunks.emplace_back(start, size);
      }
    }
    return chunks;
  }

  /// Tells the host which bytes of the file are read.
  void done_with_run() {
    const parquet::FileMetaData& metadata = *reader_->parquet_reader()->metadata();
    for (; first_group_ < next_group_; ++first_group_) {
      auto group = metadata.RowGroup(first_group_);
      for (int leaf = 0; leaf < metadata.num_columns(); ++leaf) {
        if (released_ && std::ranges::find(options_.leaves, leaf) != options_.leaves.end())
          continue;
        auto chunk = group->ColumnChunk(leaf);
        source_->consumed(start_of(*chunk), chunk->total_compressed_size());
      }
    }
  }

  ReadOptions options_;
  std::shared_ptr<arrow::MemoryPool> pool_;
  std::shared_ptr<SourceOwner> source_;
  /// Null if no values are large.
  std::shared_ptr<LargeValues> large_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<arrow::RecordBatchReader> run_;
  /// Whether the bytes of the run's columns are given back as soon as they were read: they are
  /// fetched some way ahead, or decoded whole.
  bool released_ = false;
  int first_group_ = 0;
  int next_group_ = 0;
  int64_t rows_left_ = 0;
  /// Which leaves of the run are read as notes.
  std::vector<bool> noted_;
  BatchCutter cutter_{1};
  /// Whether a column holds lists. Their pages need not say how many rows they are of, so that only
  /// a run of one group shows that its columns have the same rows.
  bool repeated_ = false;
};

}  // namespace

arrow::Result<std::unique_ptr<Reader>> open_parquet(const ReadOptions& options,
                                                    std::shared_ptr<SourceOwner> source) {
  if (!source->reads_anywhere()) {
    return arrow::Status::Invalid("Parquet is read from its end and needs the whole contents");
  }
  return ParquetReader::open(options, std::move(source));
}

}  // namespace xwalk::plugin
