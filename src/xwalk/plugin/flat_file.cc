#include "xwalk/plugin/flat_file.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <arrow/type.h>
#include <arrow/util/parallel.h>
#include <arrow/util/thread_pool.h>
#include <parquet/exception.h>
#include <parquet/file_writer.h>

namespace xwalk::plugin {
namespace {

/// Columns of a whole row group that are encoded before they are written.
constexpr size_t kColumnsAtOnce = 16;

/// Buffers with a larger page are not kept for other chunks.
constexpr int64_t kMostKeptBytes = int64_t{4} << 20;

}  // namespace

bool FlatFile::takes(const arrow::Schema& schema, const parquet::SchemaDescriptor& columns) {
  for (int i = 0; i < columns.num_columns(); ++i) {
    if (!FlatLeaf::takes(*columns.Column(i), schema)) return false;
  }
  return true;
}

FlatFile::FlatFile(std::shared_ptr<arrow::io::OutputStream> sink,
                   const parquet::SchemaDescriptor* columns,
                   std::shared_ptr<parquet::WriterProperties> properties, bool parallel,
                   arrow::MemoryPool* pool)
    : sink_(std::move(sink)),
      properties_(std::move(properties)),
      parallel_(parallel),
      pool_(pool),
      footer_(parquet::FileMetaDataBuilder::Make(columns, properties_)) {
  if (properties_->page_index_enabled()) index_ = parquet::PageIndexBuilder::Make(columns);
  for (int i = 0; i < columns->num_columns(); ++i) {
    leaves_.push_back(FlatLeaf::make(columns->Column(i), properties_.get(), pool));
  }
  PARQUET_THROW_NOT_OK(sink_->Write("PAR1", 4));
}

void FlatFile::begin_group() {
  group_ = footer_->AppendRowGroup();
  if (index_ != nullptr) index_->AppendRowGroup();
  group_rows_ = 0;
  group_bytes_ = 0;
}

arrow::Status FlatFile::encode(size_t begin, size_t end, Batches batches, bool ends) {
  const auto encode_one = [&](int i) -> arrow::Status {
    FlatLeaf& leaf = *leaves_[begin + static_cast<size_t>(i)];
    // What a task throws ends the process.
    try {
      if (!leaf.is_open()) leaf.begin(take_scratch());
      for (const auto& batch : batches) ARROW_RETURN_NOT_OK(leaf.add(*batch));
      if (!ends) return arrow::Status::OK();
      ARROW_ASSIGN_OR_RAISE(auto scratch, leaf.end());
      give_scratch(std::move(scratch));
      return arrow::Status::OK();
    } catch (const parquet::ParquetStatusException& error) {
      return error.status();
    } catch (const std::bad_alloc&) {
      return arrow::Status::OutOfMemory("no memory for a column of Parquet");
    } catch (const std::exception& error) {
      return arrow::Status::Invalid(error.what());
    }
  };
  ARROW_RETURN_NOT_OK(arrow::internal::OptionalParallelFor(
      parallel_ && end - begin > 1, static_cast<int>(end - begin), encode_one));
  for (size_t i = begin; ends && i < end; ++i) {
    group_bytes_ += leaves_[i]->write(sink_, group_->NextColumnChunk(), groups_,
                                      static_cast<int>(i), index_.get());
  }
  return arrow::Status::OK();
}

std::unique_ptr<FlatScratch> FlatFile::take_scratch() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return std::make_unique<FlatScratch>(pool_);
  auto scratch = std::move(idle_.back());
  idle_.pop_back();
  return scratch;
}

void FlatFile::give_scratch(std::unique_ptr<FlatScratch> scratch) {
  if (scratch->page.capacity() > kMostKeptBytes) return;
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(scratch));
}

arrow::Status FlatFile::add(const std::shared_ptr<arrow::RecordBatch>& batch) {
  if (group_ == nullptr) begin_group();
  group_rows_ += batch->num_rows();
  return encode(0, leaves_.size(), {&batch, 1}, false);
}

void FlatFile::close_group() {
  group_->set_num_rows(group_rows_);
  group_->Finish(group_bytes_, static_cast<int16_t>(groups_));
  ++groups_;
  group_ = nullptr;
}

arrow::Status FlatFile::end_group() {
  if (group_ == nullptr) return arrow::Status::OK();
  ARROW_RETURN_NOT_OK(encode(0, leaves_.size(), {}, true));
  close_group();
  return arrow::Status::OK();
}

arrow::Status FlatFile::write_group(Batches batches) {
  ARROW_RETURN_NOT_OK(end_group());
  begin_group();
  for (const auto& batch : batches) group_rows_ += batch->num_rows();
  for (size_t begin = 0; begin < leaves_.size(); begin += kColumnsAtOnce) {
    const size_t end = std::min(begin + kColumnsAtOnce, leaves_.size());
    ARROW_RETURN_NOT_OK(encode(begin, end, batches, true));
  }
  close_group();
  return arrow::Status::OK();
}

arrow::Status FlatFile::finish(const std::shared_ptr<const arrow::KeyValueMetadata>& metadata) {
  ARROW_RETURN_NOT_OK(end_group());
  if (index_ != nullptr) {
    index_->Finish();
    const auto written = index_->WriteTo(sink_.get());
    footer_->SetIndexLocations(parquet::IndexKind::kColumnIndex, written.column_index_locations);
    footer_->SetIndexLocations(parquet::IndexKind::kOffsetIndex, written.offset_index_locations);
  }
  parquet::WriteFileMetaData(*footer_->Finish(metadata), sink_.get());
  return arrow::Status::OK();
}

}  // namespace xwalk::plugin
