#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/hub/builder.h"
#include "xwalk/skiff/append.h"
#include "xwalk/skiff/rows.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yt/map_decoder.h"

namespace xwalk::skiff {

/// Rows of a block: enough to amortise a pass over a column, few enough that the bytes of a block
/// and the places of its fields stay in the first-level cache.
inline constexpr size_t kBlockRows = 256;

/// How the walk over a row ended.
enum class Walk : uint8_t {
  Ok,
  Short,   ///< the bytes end inside the row
  Broken,  ///< a tag that the schema does not have
};

/// Decodes the rows of one table of a stream in two passes over each block: `walk` finds the fields
/// of a row and checks its structure, `decode` fills one column after the other.
class TableDecoder {
 public:
  TableDecoder(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
               const ReadOptions& options);

  /// Walks over the row at `*at` (behind its table tag) and remembers its fields as row
  /// `block_rows()`. On Ok, `*at` is its end. `block` is the first byte of the block.
  Walk walk(const char* block, const char* end, IndexTracker* tracker, uint64_t row_number,
            const char** at);
  /// Does the same for a run of rows of this table, whose table tags it takes too, as far as they
  /// are plain: no index, and some bytes before the end. Returns how many rows it walked over.
  size_t walk_run(const char* block, const char* end, size_t most_bytes, uint64_t row_number,
                  const char** at);
  size_t block_rows() const { return rows_; }
  bool block_full() const {
    return rows_ == kBlockRows || built_rows_ + static_cast<int64_t>(rows_) >= batch_rows_;
  }
  /// Decodes the rows of the block into the batch. `end` is the end of readable bytes. Throws the
  /// error of the first bad row unless bad rows are kept.
  void decode(const char* block, const char* end, uint64_t block_position);
  /// True if the batch is as large as it may become.
  bool batch_full() const;
  int64_t built_rows() const { return built_rows_; }
  hub::Batch finish_batch();
  const hub::Schema& shown() const { return shown_; }
  const BoundTable& table() const { return table_; }

 private:
  /// A field that ends a run of bytes whose places are fixed.
  enum class FieldEnd : uint8_t { RowEnd, String, Fixed, OptionalString, Value, Index, Sparse };
  struct Segment {
    FieldEnd end = FieldEnd::RowEnd;
    /// Bytes from the segment's begin that must be there: the fixed fields, and the tag or length
    /// of the field behind them.
    uint32_t fixed = 0;
    /// Fixed: bytes of the optional's value.
    uint32_t width = 0;
    /// Value: the column. Index: 1 for the range.
    uint32_t column = 0;
  };
  enum class Presence : uint8_t { Always, Tagged, Sparse };
  enum class Method : uint8_t { Integer, Real, Boolean, Bytes, Utf8, Each, Null };
  /// Where a column's values are, and what becomes of them.
  struct Column {
    Method method = Method::Each;
    Presence presence = Presence::Always;
    /// Optional of a type that is not.
    bool required = false;
    uint32_t segment = 0;
    uint32_t offset = 0;
    /// Row of sparse places.
    uint32_t sparse = 0;
    Codec codec;
    /// The value below an optional level that the method sees to.
    const Codec* value = nullptr;
    bool nullable = false;
  };
  struct Bad {
    uint32_t row;
    uint32_t column;
  };

  void add_dense(const BoundColumn& column, const hub::Field& field);
  void choose_method(Column* column);
  Walk walk_sparse(const char* block, const char* end, size_t row, const char** at);
  /// Walks over a field whose size takes more than a look. Returns an offset behind all bytes for
  /// one that is broken or cut.
  size_t walk_varying(const Segment& segment, const char* block, const char* end, size_t row,
                      size_t offset);
  Walk walk_index(bool range, IndexTracker* tracker, const char* end, const char** at,
                  bool* row_implied);

  const char* place(const Column& column, const char* block, size_t row, bool* present) const;
  template <typename Wire>
  void load_column(const Column& column, const char* block, Wire* out);
  void decode_integers(size_t index, const char* block, hub::ColumnBuilder* out);
  void decode_reals(size_t index, const char* block, hub::ColumnBuilder* out);
  void decode_booleans(size_t index, const char* block, hub::ColumnBuilder* out);
  /// Returns the bytes of the strings of a column.
  size_t bytes_of(const Column& column, const char* block);
  void decode_bytes(size_t index, const char* block, const char* end, hub::ColumnBuilder* out);
  void decode_each(size_t index, const char* block, hub::ColumnBuilder* out);
  /// Fills the columns of `$other_columns`, which `out` begins with, `count` of them.
  void decode_others(const char* block, hub::ColumnBuilder* out, size_t count);
  /// Adds what the rows of the block tell beside their columns.
  void add_controls(const char* block);
  /// Returns true if no key stands twice in a map, or names a column with a place of its own.
  bool names_are_free(std::string_view map) const;
  void mark_presence(size_t index, hub::ColumnBuilder* out);
  void store_narrow(const int64_t* values, int width, hub::ColumnBuilder* out);
  void note_row(uint64_t row_number);
  uint64_t number_of(size_t row) const;
  void report(const char* block, uint64_t block_position);

  BoundTable table_;
  hub::Schema shown_;
  uint32_t table_index_;
  ReadOptions options_;
  int64_t batch_rows_;

  std::vector<Segment> segments_;
  std::vector<Column> columns_;
  std::vector<Codec> sparse_codecs_;
  std::optional<yt::MapDecoder> others_;
  uint32_t other_segment_ = 0;
  uint32_t other_offset_ = 0;
  uint32_t key_switch_segment_ = 0;
  uint32_t key_switch_offset_ = 0;

  /// Places of segments and of sparse values, kBlockRows each, from the block's first byte.
  std::vector<uint32_t> places_;
  std::vector<uint32_t> sparse_places_;
  std::vector<uint32_t> row_ends_;
  /// Rows that follow each other in the stream: the place in the block and the number of the first.
  struct Run {
    size_t row;
    uint64_t number;
  };
  std::vector<Run> runs_;
  /// Bytes past the begin of a segment that `walk_run` may look at.
  size_t probe_ = 0;
  bool has_index_ = false;
  std::vector<std::optional<int64_t>> row_indices_;
  std::vector<std::optional<int64_t>> range_indices_;
  size_t rows_ = 0;

  std::vector<hub::ColumnBuilder> builders_;
  std::array<uint8_t, kBlockRows> present_{};
  std::array<int64_t, kBlockRows> words_{};
  std::vector<Bad> bad_;
  std::vector<hub::BadRow> bad_rows_;
  std::vector<hub::RowControl> controls_;
  int64_t built_rows_ = 0;
  int64_t first_row_ = 0;
};

}  // namespace xwalk::skiff
