#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/base/limits.h"
#include "xwalk/hub/batch.h"
#include "xwalk/skiff/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::skiff {

/// Rows of a batch unless the user says otherwise: a megabyte or so of columns.
inline constexpr int64_t kCachedRows = 16384;

/// Options of a reader of rows.
struct ReadOptions {
  /// The table to take; rows of others are checked and left out. Not used by TablesReader.
  uint32_t table = 0;
  /// Special columns to output after the others, under their names (`$row_index`…) and, for the
  /// table, `$table_index`. The skiff schema must have them.
  bool table_index = false;
  bool row_index = false;
  bool range_index = false;
  bool key_switch = false;
  /// Fills `Batch::controls` with what the skiff schema has of them.
  bool controls = false;
  /// A batch ends after this many rows or, roughly, bytes of Arrow memory. Batches of few enough
  /// rows to stay in the second-level cache are made twice as fast as larger ones.
  int64_t batch_rows = kCachedRows;
  size_t batch_bytes = limits::kBatchBytes;
  /// A longer row ends the stream with an error; at most 1 GiB.
  size_t row_bytes = limits::kRowBytes;
  /// Keeps rejected rows in `Batch::bad` and goes on. Otherwise the first one ends the stream.
  bool skip_bad_rows = false;
  /// Keeps the bytes of every row: `TableBatch::bytes`.
  bool keep_bytes = false;
  /// The stream must end with the tag 0xFFFF; without this, it must not.
  bool require_end_of_stream = false;
  /// `TablesReader::next_block` returns the rows read so far instead of waiting for more bytes.
  /// Otherwise it waits until a batch is full.
  bool prompt = false;
  /// The byte order of a uuid in Arrow, and how nan and inf of a decimal are read there: null only
  /// if the column or member is nullable.
  yt::UuidOrder uuid_order = yt::UuidOrder::Rfc;
  yt::DecimalSpecial decimal_special = yt::DecimalSpecial::Error;
  bool specials_as_stored = false;
};

/// Returns the Arrow schema of the rows of a table: `to_arrow` and the special columns asked for.
hub::Schema rows_schema(const Schema& schema, const ReadOptions& options);

/// The bytes of rows, without their table tags. A row of them can be read alone: its row index and
/// range index are in full.
class RowBytes {
 public:
  std::string_view row(size_t index) const {
    const size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }
  /// Returns the byte of the stream at which a row begins, after its table tag.
  uint64_t place(size_t index) const { return places_[index]; }
  size_t rows() const { return ends_.size(); }
  /// Closes a row that was appended to `bytes`.
  void end_row(uint64_t place) {
    ends_.push_back(bytes_.size());
    places_.push_back(place);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
  std::vector<size_t> ends_;
  std::vector<uint64_t> places_;
};

/// A batch and the table its rows are of.
struct TableBatch {
  uint32_t table = 0;
  hub::Batch batch;
  /// Null unless they are kept.
  std::shared_ptr<const RowBytes> bytes = nullptr;
};

/// Rows that follow each other in a stream: a batch of each table that has any, by table, and which
/// table the rows are of, in the order of the stream.
struct TablesBlock {
  struct Run {
    uint32_t table = 0;
    int64_t rows = 0;
  };

  std::vector<TableBatch> batches;
  std::vector<Run> runs;
};

/// The compiled form of a schema and options, made before a stream is read: once for any number of
/// streams and threads.
class CompiledTables {
 public:
  /// Throws Error (Unsupported) for a schema that does not fit its table.
  explicit CompiledTables(const Schema& schema, const ReadOptions& options = {});

 private:
  friend class TablesReader;
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

/// Reads a stream of several tables: one run of Arrow batches each. Memory is bounded by one batch
/// a table. Every value is checked; errors carry table, row, column path and byte.
class TablesReader {
 public:
  /// Throws Error (Unsupported) for a schema that does not fit its table.
  TablesReader(std::unique_ptr<ByteSource> source, const Schema& schema,
               const ReadOptions& options = {});
  TablesReader(std::unique_ptr<ByteSource> source, const CompiledTables& compiled);
  ~TablesReader();
  TablesReader(const TablesReader&) = delete;
  TablesReader& operator=(const TablesReader&) = delete;

  size_t table_count() const;
  const hub::Schema& schema(size_t table) const;
  /// Returns the next batch of any table, or nothing at the end. `first_row` counts the rows of the
  /// table.
  std::optional<TableBatch> next();
  /// Returns the next rows of all tables, or nothing at the end. A stream is read with this or with
  /// `next`. After an error, the next call returns the rows before it that were not returned.
  std::optional<TablesBlock> next_block();
  uint64_t bytes_read() const;
  std::optional<uint64_t> total_bytes() const;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Reads the rows of one table.
std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const Schema& schema, const ReadOptions& options = {});

/// Options of a writer of rows.
struct WriteOptions {
  /// The table whose schema the rows have, and whose index they get in front.
  uint32_t table = 0;
  bool end_of_stream = false;
  /// The byte order of a uuid in Arrow, and the form of nan and the infinities of a decimal.
  yt::UuidOrder uuid_order = yt::UuidOrder::Rfc;
  /// How strings of a type with a time zone say the zone.
  yt::TzForm tz_form = yt::TzForm::Name;
  bool specials_as_stored = false;
  /// The indices of the last existing row if rows are appended to an output.
  std::optional<hub::RowControl> after_row;
};

/// What a stream with `end_of_stream` ends with.
inline constexpr std::string_view kEndOfStreamBytes = "\xff\xff";

/// Writes batches of the schema `to_arrow(schema, table)` as rows of one table. A null that the
/// skiff schema does not allow, or a value beyond its wire type, is an error with row and column
/// path.
std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink, const Schema& schema,
                                             const WriteOptions& options = {});

}  // namespace xwalk::skiff
