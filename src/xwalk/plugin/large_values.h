#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <arrow/array/data.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>

namespace xwalk::plugin {

/// Reads chunks of bytes whose pages are large without a second copy of a page. The library gets
/// each page with notes instead of its values, twelve bytes with a value's position, and makes
/// arrays of them. When a batch is returned, its notes are replaced by the values. One large page
/// is in memory at a time. It is decompressed again if it was released before its values were
/// needed.
class LargeValues : public std::enable_shared_from_this<LargeValues> {
 public:
  /// Replaces a value: its page, and its position in it.
  struct Note {
    uint32_t page = 0;
    uint32_t offset = 0;
    uint32_t size = 0;
  };

  /// Takes chunks as pairs of row group and leaf. Pages are read from `file`.
  LargeValues(std::shared_ptr<arrow::io::RandomAccessFile> file,
              parquet::ReaderProperties properties, std::set<std::pair<int, int>> chunks)
      : file_(std::move(file)), properties_(std::move(properties)), chunks_(std::move(chunks)) {}

  /// Wraps a reader as one that has notes instead of the values of the chunks.
  std::unique_ptr<parquet::ParquetFileReader> over(
      std::unique_ptr<parquet::ParquetFileReader> reader);

  /// Returns whether a chunk is one of them.
  bool holds(int group, int leaf) const { return chunks_.contains({group, leaf}); }

  /// Returns how many of the first rows of a batch have values of at most `bytes`, one at least.
  /// `leaves` are those of the batch, in order, and whether they hold notes.
  int64_t rows_within(const arrow::RecordBatch& batch, const std::vector<bool>& leaves,
                      int64_t bytes) const;
  /// Returns the batch with its values. May throw.
  arrow::Result<std::shared_ptr<arrow::RecordBatch>> with_values(const arrow::RecordBatch& batch,
                                                                 const std::vector<bool>& leaves);
  /// Forgets all pages: no batch with notes will come again.
  void forget();

 private:
  /// A column chunk as it is stored.
  struct Chunk {
    std::shared_ptr<arrow::Buffer> bytes;
    const parquet::ColumnDescriptor* column = nullptr;
    parquet::Compression::type codec = parquet::Compression::UNCOMPRESSED;
    int64_t values = 0;
    bool always_compressed = false;
  };
  struct PlacedPage {
    std::shared_ptr<const Chunk> chunk;
    int64_t at = 0;
  };
  /// A page in memory, and where the next one begins.
  struct Unpacked {
    std::shared_ptr<parquet::Page> page;
    int64_t end = 0;
  };
  class Pages;
  struct Group;
  struct File;

  std::shared_ptr<const Chunk> open_chunk(const parquet::FileMetaData& file, int group, int leaf);
  /// Reads a page of a chunk, and notes its place. Its number goes to `number`.
  Unpacked unpack_new(const std::shared_ptr<const Chunk>& chunk, int64_t at, uint32_t* number);
  /// Returns a page by its number.
  std::shared_ptr<parquet::Page> page(uint32_t number);
  /// Reads a page. If it is large, frees the pages in memory.
  Unpacked unpack(const PlacedPage& place, uint32_t number);
  arrow::Result<std::shared_ptr<arrow::ArrayData>> values_of(const arrow::ArrayData& notes,
                                                             int64_t begin, int64_t end);

  arrow::Result<std::shared_ptr<arrow::Buffer>> find(const Note& note);
  /// Returns true if a value is in bytes of the input, which another process may modify.
  bool is_in_input(uint32_t page, const arrow::Buffer& value) const;

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  parquet::ReaderProperties properties_;
  std::set<std::pair<int, int>> chunks_;
  /// Columns may be read by several threads.
  std::mutex mutex_;
  std::vector<PlacedPage> pages_;
  std::vector<std::pair<uint32_t, std::shared_ptr<parquet::Page>>> held_;
  int64_t held_bytes_ = 0;
};

}  // namespace xwalk::plugin
