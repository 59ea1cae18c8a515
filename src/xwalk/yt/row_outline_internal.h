#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "xwalk/yt/row_program_internal.h"
#include "xwalk/yt/value_marks_internal.h"

namespace xwalk::yt {

/// Finds the positions of the values of some rows, with keys in any order, without reading the
/// values: in binary by the sizes of tokens, without a branch on their kind; in text by the marks
/// of the characters that end a value. So the order of keys costs no mispredicted branches, and no
/// value waits for the end of the one before.
///
/// A position may be wrong. The reader of the value must check that it ends where the span does.
class RowOutline {
 public:
  explicit RowOutline(const Step& row);

  /// Returns false if the columns are too many, or of types that `RowBlock` does not decode.
  bool suits() const { return suits_; }

  /// Finds rows starting with the one whose `{` is at `p`, at most `most`, and none that begins at
  /// or after `enough`. Moves `p` past the `}` of the last row and returns the number of rows.
  size_t find_binary(int64_t most, const char* enough, const char*& p, const char* end);
  /// The same in text. `marks` must cover `p`, and is forgotten if a row continues after its end.
  size_t find_text(int64_t most, const char* enough, const char*& p, const char* end,
                   ValueMarks& marks);

  /// The bytes of a value; null if the row lacks the column, which is nullable.
  struct Span {
    const char* begin;
    const char* end;
  };
  /// The value of a column in the first row. Those of the next rows are `stride` spans apart.
  const Span* values(size_t column) const { return &spans_[column]; }
  size_t stride() const { return given_.size(); }
  /// The beginnings of the rows.
  const char* const* begins() const { return begins_.data(); }

  /// Returns true if the rows had their columns in one order.
  bool is_ordered() const { return ordered_; }
  /// Returns the column order of the last row. A missing column is placed after the column before
  /// it in the schema.
  std::vector<uint32_t> order(size_t rows) const;

 private:
  enum class Result : uint8_t { Found, Cut, Unusual };

  template <bool kInText>
  size_t find(int64_t most, const char* enough, const char*& p, const char* end, ValueMarks* marks);
  template <bool kInText>
  Result find_row(size_t row, const char*& p, const char* end, ValueMarks* marks);
  bool fill_missing(size_t row);

  const Step* row_;
  bool suits_ = true;
  size_t most_rows_ = 0;
  /// Of each row, the values of its columns.
  std::vector<Span> spans_;
  /// The row that gave each column its value last, from 1.
  std::vector<uint8_t> given_;
  /// The column that follows each one in the rows before. The last entry is the first column.
  std::vector<uint32_t> next_;
  std::vector<const char*> begins_;
  bool ordered_ = true;
  size_t surprises_ = 0;
};

}  // namespace xwalk::yt
