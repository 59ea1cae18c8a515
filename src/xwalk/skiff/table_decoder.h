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
#include "xwalk/hub/type.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/codec.h"
#include "xwalk/skiff/stream.h"
#include "xwalk/skiff/table_walk.h"
#include "xwalk/skiff/values.h"
#include "xwalk/yson/writer.h"
#include "xwalk/yt/map_decoder.h"

namespace xwalk::skiff {

/// Decodes the rows of one table of a stream in two passes per block: `walk` finds the fields of a
/// row and checks its structure, `decode` fills one column after the other.
class TableDecoder : public TableWalk {
 public:
  TableDecoder(const BoundTable& table, const hub::Schema& shown, uint32_t table_index,
               const ReadOptions& options);

  /// Decodes the rows of the block into the batch. `end` is the end of readable bytes. Throws the
  /// error of the first bad row unless bad rows are kept.
  void decode(const char* block, const char* end, uint64_t block_position);
  /// True if the batch is as large as it may become.
  bool batch_full() const;
  TableBatch finish_batch();
  /// Returns the error of a row that `walk` or `decode` rejects. `bytes` begin after its table tag,
  /// and the byte of the error is counted from there.
  Error fault(const IndexTracker& before, std::string_view bytes) const;

 private:
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
  /// Closes the values of a column in the rows that `walk_run` decoded.
  void close_direct(const Column& column);
  void decode_each(const Column& column, const char* block, const char* end,
                   hub::ColumnBuilder* out);
  void close_level(const Closer& closer, const char* block);
  /// Fills the columns of `$other_columns`, which `out` begins with, `count` of them.
  void decode_others(const char* block, hub::ColumnBuilder* out, size_t count);
  /// Adds the control columns of the block's rows.
  void add_controls(const char* block);
  /// Returns true if no key is repeated in a map, or names a column that has its own place.
  bool names_are_free(std::string_view map) const;
  void mark_presence(const Column& column, const uint8_t* present, hub::ColumnBuilder* out);
  /// Rejects the rows of the slice whose strings are not UTF-8. The first one begins at `first`,
  /// which is byte `base` of the column.
  void check_text(const Column& column, char* first, int32_t base, const int32_t* ends);
  /// Notes that the row of an entry of the slice is bad.
  void note_bad(const Column& column, size_t entry);
  void store_narrow(const int64_t* values, int width, hub::ColumnBuilder* out);
  /// Fills the columns of what a row has beside its own columns, from column `next` on.
  void decode_specials(const char* block, size_t next);
  void report(const char* block, uint64_t block_position);
  /// Appends the bytes of a row of the block, with its indices in full.
  void append_row(const char* block, size_t row, std::string* out) const;

  std::optional<yt::MapDecoder> others_;
  Slice slice_;
  std::array<uint8_t, kBlockRows> present_{};
  std::array<int64_t, kBlockRows> integers_{};
  std::vector<Bad> bad_;
  std::vector<hub::BadRow> bad_rows_;
  std::vector<hub::RowControl> controls_;
  std::shared_ptr<RowBytes> bytes_;
  yson::Buffer scratch_;
  int64_t first_row_ = 0;
};

}  // namespace xwalk::skiff
