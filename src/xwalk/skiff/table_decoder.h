#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/hub/batch.h"
#include "xwalk/hub/builder.h"
#include "xwalk/skiff/append.h"
#include "xwalk/skiff/stream.h"
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
    return rows_ == kBlockRows || items_full_ || direct_full_ ||
           built_rows_ + static_cast<int64_t>(rows_) >= batch_rows_;
  }
  /// Decodes the rows of the block into the batch. `end` is the end of readable bytes. Throws the
  /// error of the first bad row unless bad rows are kept.
  void decode(const char* block, const char* end, uint64_t block_position);
  /// True if the batch is as large as it may become.
  bool batch_full() const;
  int64_t built_rows() const { return built_rows_; }
  TableBatch finish_batch();
  const hub::Schema& shown() const { return shown_; }
  /// Returns what is wrong with a row that `walk` or `decode` refuses. `bytes` begin after its
  /// table tag, and the byte of the error is counted from there.
  Error fault(const IndexTracker& before, std::string_view bytes) const;

 private:
  /// A field that ends a run of bytes whose places are fixed.
  enum class FieldEnd : uint8_t {
    RowEnd,
    String,
    Fixed,
    OptionalString,
    List,
    OptionalList,
    Value,
    Index,
    Sparse,
    /// The same as their namesakes; `walk_run` decodes the value on its way.
    DirectString,
    DirectOptionalString,
    DirectFixed,
  };
  struct Segment {
    FieldEnd end = FieldEnd::RowEnd;
    /// Bytes from the segment's begin that must be there: the fixed fields, and the tag or length
    /// of the field behind them.
    uint32_t fixed = 0;
    /// Fixed: bytes of the optional's value.
    uint32_t width = 0;
    /// Value: the column. List: the frame of its items. Index: 1 for the range.
    uint32_t column = 0;
  };
  /// A row as `walk_run` takes it. Places and tags of fields that follow each other are kBlockRows
  /// apart.
  struct RunRow {
    size_t limit;
    uint32_t* places;
    uint8_t* present;
    size_t row;
  };
  /// A segment as `walk_run` takes it, and where the field that ends it is decoded to: bytes of
  /// strings from `origin` on, their ends, counted from there, to `ends`, eight bytes of a value to
  /// `values`.
  struct RunSegment {
    FieldEnd end = FieldEnd::RowEnd;
    size_t fixed = 0;
    size_t width = 0;
    /// `fixed` bytes into the block.
    const char* behind_fixed = nullptr;
    char* origin = nullptr;
    int32_t* ends = nullptr;
    uint64_t* values = nullptr;

    /// Walks over the field `index` of a step at `*offset`. Returns false if it is behind the
    /// bytes, or broken.
    template <FieldEnd end>
    [[gnu::always_inline]] bool pass(const RunRow& at, size_t index, size_t* offset) const;
    /// Copies a string. Returns false for a long one whose bytes end at `behind`, past the limit.
    [[gnu::always_inline]] bool take_bytes(const RunRow& at, const char* from, size_t size,
                                           size_t behind) const;
  };
  /// Walks over segments that follow each other, from an offset that is not behind the limit.
  /// Returns the offset behind them, which may be, or one behind all bytes for a row that is
  /// broken.
  using WalkFields = size_t (*)(const RunSegment* run, const RunRow& at, size_t offset);
  static constexpr size_t kMostFields = 4;
  struct FieldWalks;
  /// Segments from `first` on; one alone, of another kind, if there is no function.
  struct RunStep {
    WalkFields walk;
    size_t first;
  };
  /// The frame of the rows themselves.
  static constexpr uint32_t kRoot = 0xFFFFFFFF;
  /// Items of a list of simple values whose tags are looked at a time.
  static constexpr size_t kItems = 8;
  /// The items of all lists of one place in the schema (entries of a dict), as the rows are those
  /// of the block: fields at known places in segments.
  struct Frame {
    std::vector<Segment> segments;
    /// Where the lists are: the rows, or the items of another frame. That one is made first.
    uint32_t parent = kRoot;
    Codec list;
    size_t tag_bytes = 1;
    size_t last_tag = 0;
    /// Bytes of an item and its tag where they are always as many, else 0, and where the next items
    /// begin.
    size_t stride = 0;
    std::array<uint32_t, kItems> steps{};
    /// Frames of lists in these items.
    std::vector<uint32_t> lists;
    /// Places of segments, from the block's first byte, item by item.
    std::vector<uint32_t> places;
    /// By item of the parent: how many items there are up to the end of its list.
    std::vector<uint32_t> ends;
    uint32_t entries = 0;

    /// Makes room for items, and for the ends of the lists in them.
    void reserve(size_t wanted, std::vector<Frame>& frames);
    /// Forgets the items, and memory that few blocks need.
    void clear(std::vector<Frame>& frames);
  };
  enum class Presence : uint8_t { Always, Tagged, Sparse };
  enum class Method : uint8_t { Integer, Real, Boolean, Bytes, Utf8, Each, Null };
  /// Where a column's values are, and what becomes of them.
  struct Column {
    Method method = Method::Each;
    Presence presence = Presence::Always;
    /// Optional of a type that is not.
    bool required = false;
    /// The column of the table that this is part of.
    uint32_t top = 0;
    uint32_t frame = kRoot;
    uint32_t segment = 0;
    uint32_t offset = 0;
    hub::ColumnBuilder* out = nullptr;
    /// Row of sparse places.
    uint32_t sparse = 0;
    Codec codec;
    /// The value below an optional level that the method sees to.
    const Codec* value = nullptr;
    bool nullable = false;
    /// Its values end segments of the rows and are decoded by `walk_run`.
    bool direct = false;
  };
  /// A struct or a list, closed when what is in it is decoded.
  struct Closer {
    uint32_t frame = kRoot;
    hub::ColumnBuilder* out = nullptr;
    /// The frame of a list's items.
    uint32_t list = kRoot;
    /// Where a list begins, or the tag that says whether there is one.
    uint32_t segment = 0;
    uint32_t offset = 0;
    bool tagged = false;
    bool required = false;
    uint32_t top = 0;
  };
  /// Places of one segment for up to kBlockRows rows or items from `first` on, `step` apart.
  struct Slice {
    const uint32_t* places = nullptr;
    size_t step = 1;
    size_t first = 0;
    size_t count = 0;
  };
  struct Bad {
    uint32_t row;
    uint32_t column;
  };

  std::vector<Segment>& segments_of(uint32_t frame) {
    return frame == kRoot ? segments_ : frames_[frame].segments;
  }
  size_t entries_of(uint32_t frame) const {
    return frame == kRoot ? rows_ : frames_[frame].entries;
  }
  void add_dense(size_t index, const hub::Field& field);
  /// Adds a field of its frame, behind those that are there.
  void add_field(Column column);
  void add_child(const Column& parent, uint32_t frame, const Codec& codec, hub::ColumnBuilder* out);
  void add_members(const Column& column, const Codec& tuple);
  void add_list(const Column& column, const Codec& list, FieldEnd end);
  void choose_method(Column* column);
  /// Lets `walk_run` decode the columns that it can.
  void choose_direct();
  /// Makes room for the values that `walk_run` decodes in a block.
  void open_direct(size_t begin);
  /// Closes the values of a column in the rows that `walk_run` decoded.
  void close_direct(const Column& column);
  /// Chooses functions for the segments, by which their kinds cost one jump a few fields.
  void plan_run();
  template <FieldEnd... ends>
  static size_t walk_fields(const RunSegment* run, const RunRow& at, size_t offset);
  /// Walks over a segment and returns an offset as `WalkFields` does.
  size_t walk_segment(const Segment& segment, const char* block, const char* end, size_t row,
                      size_t offset, size_t limit);
  template <bool direct>
  size_t walk_run_of(const char* block, const char* end, size_t most_bytes, uint64_t row_number,
                     const char** at);
  Walk walk_row(const char* block, const char* end, IndexTracker* tracker, uint64_t row_number,
                const char** at);
  /// Walks over the items of a list whose own tag, if any, is taken, and remembers them as those of
  /// item `entry` of the parent. Returns the end, or an offset behind all bytes for a list that is
  /// broken, or may pass `limit`. A trusted list was walked over before: nothing is read past it.
  template <bool trusted>
  [[gnu::noinline]] size_t walk_list(uint32_t index, const char* block, size_t limit, size_t entry,
                                     size_t offset);
  /// Forgets the items of lists in rows from `row` on.
  void drop_items(size_t row);
  /// Returns the row of the block that an item of a frame belongs to.
  size_t row_of(uint32_t frame, size_t entry) const;
  Walk walk_sparse(const char* block, const char* end, size_t row, const char** at);
  /// Walks over a field whose size takes more than a look. Returns an offset behind all bytes for
  /// one that is broken or cut.
  [[gnu::noinline]] size_t walk_varying(const Segment& segment, const char* block, const char* end,
                                        size_t row, size_t offset);
  Walk walk_index(bool range, IndexTracker* tracker, const char* end, const char** at,
                  bool* row_implied);

  const char* place(const Column& column, const char* block, size_t row, bool* present) const;
  template <typename Wire>
  void load_column(const Column& column, const char* block, Wire* out);
  Slice slice(uint32_t frame, uint32_t segment, size_t first) const;
  /// Decodes the values of a column in `slice_`.
  void decode_column(const Column& column, const char* block, const char* end);
  void decode_integers(const Column& column, const char* block, hub::ColumnBuilder* out);
  void decode_reals(const Column& column, const char* block, hub::ColumnBuilder* out);
  void decode_booleans(const Column& column, const char* block, hub::ColumnBuilder* out);
  /// Returns the bytes of the strings of a column.
  size_t bytes_of(const Column& column, const char* block);
  void decode_bytes(const Column& column, const char* block, const char* end,
                    hub::ColumnBuilder* out);
  void decode_each(const Column& column, const char* block, hub::ColumnBuilder* out);
  void close_level(const Closer& closer, const char* block);
  /// Fills the columns of `$other_columns`, which `out` begins with, `count` of them.
  void decode_others(const char* block, hub::ColumnBuilder* out, size_t count);
  /// Adds what the rows of the block tell beside their columns.
  void add_controls(const char* block);
  /// Returns true if no key stands twice in a map, or names a column with a place of its own.
  bool names_are_free(std::string_view map) const;
  void mark_presence(const Column& column, const uint8_t* present, hub::ColumnBuilder* out);
  /// Refuses the rows of the slice whose strings are not UTF-8. The first one begins at `first`,
  /// which is byte `base` of the column.
  void check_text(const Column& column, char* first, int32_t base, const int32_t* ends);
  /// Notes that the row of an entry of the slice is bad.
  void note_bad(const Column& column, size_t entry);
  void store_narrow(const int64_t* values, int width, hub::ColumnBuilder* out);
  void note_row(uint64_t row_number);
  uint64_t number_of(size_t row) const;
  void report(const char* block, uint64_t block_position);
  /// Appends the bytes of a row of the block, with its indices in full.
  void append_row(const char* block, size_t row, std::string* out) const;

  yt::ValueOptions value_options() const {
    return codec_options(options_.uuid_order, options_.specials_as_stored,
                         options_.decimal_special);
  }

  BoundTable table_;
  hub::Schema shown_;
  uint32_t table_index_;
  ReadOptions options_;
  int64_t batch_rows_;

  std::vector<Segment> segments_;
  /// One each of `segments_`.
  std::vector<RunSegment> run_segments_;
  std::vector<RunStep> run_steps_;
  std::vector<Frame> frames_;
  std::vector<Column> columns_;
  /// In the order in which they are closed: what is inside first.
  std::vector<Closer> closers_;
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
  /// Of them, the first ones, whose direct columns are decoded.
  size_t direct_rows_ = 0;
  /// Whether there is room for such rows, and where the first one begins.
  bool direct_open_ = false;
  size_t direct_begin_ = 0;
  /// True if that room is full, so that the block ends.
  bool direct_full_ = false;
  bool has_direct_ = false;
  /// By segment, kBlockRows each.
  std::vector<uint8_t> direct_present_;
  std::vector<uint64_t> unread_values_;
  /// True if the lists of the block have so many items that it ends.
  bool items_full_ = false;
  Slice slice_;

  std::vector<hub::ColumnBuilder> builders_;
  std::array<uint8_t, kBlockRows> present_{};
  std::array<int64_t, kBlockRows> words_{};
  std::vector<Bad> bad_;
  std::vector<hub::BadRow> bad_rows_;
  std::vector<hub::RowControl> controls_;
  std::shared_ptr<RowBytes> bytes_;
  int64_t built_rows_ = 0;
  int64_t first_row_ = 0;
};

}  // namespace xwalk::skiff
