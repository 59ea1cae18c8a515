#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "xwalk/hub/builder.h"
#include "xwalk/hub/type.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/skiff/values.h"

namespace xwalk::skiff {

/// Rows of a block: enough to amortise a pass over a column, few enough that the bytes of a block
/// and the places of its fields stay in the first-level cache.
inline constexpr size_t kBlockRows = 256;

/// The layout of the rows of one table in a stream: their fields in segments, and the Arrow column
/// that each field goes to.
class TablePlan {
 public:
  TablePlan(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
            const ReadOptions& options);

  const hub::Schema& shown() const { return shown_; }

 protected:
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
    /// The same as their namesakes, but `walk_run` decodes the value while walking.
    DirectString,
    DirectOptionalString,
    DirectFixed,
  };
  struct Segment {
    FieldEnd end = FieldEnd::RowEnd;
    /// Bytes from the segment's begin that must be there: the fixed fields, and the tag or length
    /// of the field after them.
    uint32_t fixed = 0;
    /// Fixed: bytes of the optional's value.
    uint32_t width = 0;
    /// Value: the column. List: the frame of its items. Index: 1 for the range.
    uint32_t column = 0;
  };
  /// The frame of the rows themselves.
  static constexpr uint32_t kRoot = 0xFFFFFFFF;
  /// Items of a list of simple values whose tags are checked at a time.
  static constexpr size_t kItems = 8;
  /// The items of all lists of one place in the schema (entries of a dict), as the rows are those
  /// of the block: fields at known places in segments.
  struct Frame {
    std::vector<Segment> segments;
    /// The frame that contains the lists: the rows, or the items of another frame, which is made
    /// first.
    uint32_t parent = kRoot;
    Codec list;
    size_t tag_bytes = 1;
    size_t last_tag = 0;
    /// Bytes of an item and its tag if they are fixed, else 0, and the start of the next items.
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
    void reserve(size_t wanted, std::vector<Frame>& frames) {
      if (wanted * segments.size() > places.size()) [[unlikely]]
        grow(wanted, frames);
    }
    void grow(size_t wanted, std::vector<Frame>& frames);
    /// Forgets the items, and memory that few blocks need.
    void clear(std::vector<Frame>& frames);
  };
  enum class Presence : uint8_t { Always, Tagged, Sparse };
  enum class Method : uint8_t { Integer, Real, Boolean, Bytes, Utf8, Each, Null };
  /// Where the values of a column are, and how they are decoded.
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
  /// A struct or a list, closed after its values are decoded.
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

  std::vector<Segment>& segments_of(uint32_t frame) {
    return frame == kRoot ? segments_ : frames_[frame].segments;
  }
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
  std::vector<Frame> frames_;
  std::vector<Column> columns_;
  /// In the order in which they are closed: what is inside first.
  std::vector<Closer> closers_;
  std::vector<Codec> sparse_codecs_;
  uint32_t other_segment_ = 0;
  uint32_t other_offset_ = 0;
  uint32_t key_switch_segment_ = 0;
  uint32_t key_switch_offset_ = 0;
  /// Bytes past the begin of a segment that `walk_run` may look at.
  size_t probe_ = 0;
  bool has_index_ = false;
  std::vector<hub::ColumnBuilder> builders_;

 private:
  void add_slot(const Slot& slot, size_t* dense);
  void add_sparse();
  void plan_frames();
  void add_dense(size_t index);
  /// Adds a field at the end of its frame.
  void add_field(Column column);
  void add_child(const Column& parent, uint32_t frame, const Codec& codec, hub::ColumnBuilder* out);
  void add_members(const Column& column, const Codec& tuple);
  void add_list(const Column& column, const Codec& list, FieldEnd end);
  void choose_method(Column* column);
};

}  // namespace xwalk::skiff
