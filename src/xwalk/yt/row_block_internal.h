#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/hub/builder.h"
#include "xwalk/yt/decode_context_internal.h"
#include "xwalk/yt/value_marks_internal.h"

namespace xwalk::yt {

/// Decodes some rows at once, column by column. A first pass finds the positions of the values of
/// each row without reading them: in binary by the sizes of tokens, without a branch on their kind;
/// in text by a bitmap of the characters that end a value. So the order of keys costs no
/// mispredicted branches, and no value waits for the end of the one before. A second pass reads the
/// values of a column in one loop.
///
/// The first pass may be wrong. The second reads each value with the readers of `decode_row`, from
/// the same position, and it must end at the position that the first pass found. Rows that differ
/// in any way from the usual ones are left to `decode_row`.
class RowBlock {
 public:
  explicit RowBlock(const RowProgram& program);

  /// Returns false if the columns are too many, or of types that it does not decode.
  bool suits() const { return suits_; }

  /// Forgets the bytes at hand, which change.
  void forget() { marks_.forget(); }

  /// Decodes rows starting with the one whose `{` is at `p`, at most `most`, and none that begins
  /// at or after `enough`. Each column has `row` values already. Moves `p` past the `}` of the last
  /// row and returns the number of rows. If it returns 0, nothing has changed and `decode_row` must
  /// decode the next row. Appends the start of each row to `begins`, if not null.
  int64_t decode(hub::ColumnBuilder* const* columns, int64_t row, int64_t most, const char* enough,
                 const char*& p, DecodeContext& context, std::vector<const char*>* begins);

  /// Says whether the last rows that were decoded had their columns in one order.
  bool is_ordered() const { return ordered_; }
  /// Returns the column order of the last row. A missing column is placed after the column before
  /// it in the schema.
  std::vector<uint32_t> order(int64_t rows) const;

  static constexpr size_t kMostRows = 64;

  /// The bytes of a value.
  struct Span {
    const char* begin;
    const char* end;
  };

 private:
  enum class Outline : uint8_t { Found, Cut, Unusual };

  template <bool kInText, bool kOrdered>
  int64_t outline(int64_t most, const char* enough, const char*& p, const char* end);
  template <bool kInText, bool kOrdered>
  Outline outline_row(size_t row, const char*& p, const char* end);
  bool fill_missing(size_t row);

  const Step* row_;
  bool suits_ = true;
  /// Rows that `decode_row` is given before the next attempt, and how many it will be given after
  /// the next that fails.
  int64_t wait_ = 0;
  int64_t penalty_ = 0;

  size_t block_rows_ = 0;
  /// Of each row, the values of its columns.
  std::vector<Span> spans_;
  /// The row that gave each column its value last, from 1.
  std::vector<uint8_t> given_;
  /// The column that follows each one in the rows before. The last entry is the first column.
  std::vector<uint32_t> next_;
  std::vector<const char*> begins_;
  /// Rows have their columns in the same order.
  bool ordered_ = true;
  size_t surprises_ = 0;

  ValueMarks marks_;
};

}  // namespace xwalk::yt
