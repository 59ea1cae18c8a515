#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "xwalk/skiff/stream.h"
#include "xwalk/skiff/table_plan.h"

namespace xwalk::skiff {

/// How the walk over a row ended.
enum class Walk : uint8_t {
  Ok,
  Short,   ///< the bytes end inside the row
  Broken,  ///< a tag that the schema does not have
};

/// Finds the fields of the rows of a block and checks their structure.
class TableWalk : public TablePlan {
 public:
  TableWalk(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
            const ReadOptions& options);

  /// Walks over the row at `*at` (after its table tag) and remembers its fields as the next row of
  /// the block. On Ok, `*at` is its end. `block` is the first byte of the block.
  Walk walk(const char* block, const char* end, IndexTracker* tracker, uint64_t row_number,
            const char** at);
  /// Does the same for a run of rows of this table, whose table tags it takes too, as far as they
  /// are plain: no index, and some bytes before the end. Returns how many rows it walked over.
  size_t walk_run(const char* block, const char* end, size_t most_bytes, uint64_t row_number,
                  const char** at);
  bool block_full() const {
    return rows_ == kBlockRows || items_full_ || direct_full_ ||
           built_rows_ + static_cast<int64_t>(rows_) >= batch_rows_;
  }
  int64_t built_rows() const { return built_rows_; }

 protected:
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
    const char* after_fixed = nullptr;
    char* origin = nullptr;
    int32_t* ends = nullptr;
    uint64_t* values = nullptr;

    /// Walks over the field `index` of a step at `*offset`. Returns false if it is after the
    /// bytes, or broken.
    template <FieldEnd end>
    [[gnu::always_inline]] bool pass(const RunRow& at, size_t index, size_t* offset) const;
    /// Copies a string. Returns false for a long one whose bytes end at `after`, past the limit.
    [[gnu::always_inline]] bool take_bytes(const RunRow& at, const char* from, size_t size,
                                           size_t after) const;
  };
  /// Walks over segments that follow each other, from an offset that is not after the limit.
  /// Returns the offset after them, which may be, or one after all bytes for a row that is
  /// broken.
  using WalkFields = size_t (*)(const RunSegment* run, const RunRow& at, size_t offset);
  static constexpr size_t kMostFields = 4;
  struct FieldWalks;
  /// Segments from `first` on; one alone, of another kind, if there is no function.
  struct RunStep {
    WalkFields walk;
    size_t first;
  };

  size_t entries_of(uint32_t frame) const {
    return frame == kRoot ? rows_ : frames_[frame].entries;
  }
  /// Returns the row of the block that an item of a frame belongs to.
  size_t row_of(uint32_t frame, size_t entry) const;
  uint64_t number_of(size_t row) const;

  /// One each of `segments_`.
  std::vector<RunSegment> run_segments_;
  std::vector<RunStep> run_steps_;
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
  /// True if the lists of the block have enough items to end it.
  bool items_full_ = false;
  int64_t built_rows_ = 0;

 private:
  /// Lets `walk_run` decode the columns that it can.
  void choose_direct();
  /// Makes room for the values that `walk_run` decodes in a block.
  void open_direct(size_t begin);
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
  /// Walks over the field that ends a segment, from the end of the segment's fixed bytes on.
  Walk walk_field(const Segment& segment, const char* block, const char* end, IndexTracker* tracker,
                  bool* row_implied, const char** at);
  /// Walks over the items of a list that are all of one size, and the tag that ends it.
  size_t walk_strided(Frame& frame, const char* block, size_t limit, size_t* entries,
                      size_t offset);
  /// Walks over the fields of an item, whose places go to `places`.
  template <bool trusted>
  size_t walk_item(const Frame& frame, const char* block, size_t limit, size_t entry,
                   uint32_t* places, size_t offset);
  /// Walks over the items of a list whose own tag, if any, is taken, and remembers them as those of
  /// item `entry` of the parent. Returns the end, or an offset after all bytes for a list that is
  /// broken, or may pass `limit`. A trusted list was walked over before: nothing is read past it.
  template <bool trusted>
  [[gnu::noinline]] size_t walk_list(uint32_t index, const char* block, size_t limit, size_t entry,
                                     size_t offset);
  /// Forgets the items of lists in rows from `row` on.
  void drop_items(size_t row);
  Walk walk_sparse(const char* block, const char* end, size_t row, const char** at);
  /// Walks over a field whose size takes more than a look. Returns an offset after all bytes for
  /// one that is broken or cut.
  [[gnu::noinline]] size_t walk_varying(const Segment& segment, const char* block, const char* end,
                                        size_t row, size_t offset);
  Walk walk_index(bool range, IndexTracker* tracker, const char* end, const char** at,
                  bool* row_implied);

  void note_row(uint64_t row_number);
};

}  // namespace xwalk::skiff
