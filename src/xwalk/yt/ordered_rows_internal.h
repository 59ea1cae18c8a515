#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/hub/builder.h"
#include "xwalk/yt/decode_context_internal.h"
#include "xwalk/yt/value_marks_internal.h"

namespace xwalk::yt {

/// Decodes rows whose columns have the same order as in the rows before, several at once and each
/// in one pass. The next columns are a list that is only compared with the input, and values go
/// straight into their columns. In binary the only dependency chain is from one size to the next.
/// In text there is none, because a bitmap marks the ends of values.
///
/// Columns that are usually absent are part of the order. Rows that differ in any other way from
/// the usual ones are left to `RowBlock` and `decode_row`.
class OrderedRows {
 public:
  explicit OrderedRows(const RowProgram& program);

  /// Returns false if the columns are too many, or of types that it does not decode.
  bool suits() const { return suits_; }

  /// Forgets the bytes at hand, which change.
  void forget() { marks_.forget(); }

  /// As RowBlock::decode does.
  int64_t decode(hub::ColumnBuilder* const* columns, int64_t row, int64_t most, const char* enough,
                 const char*& p, DecodeContext& context, std::vector<const char*>* begins);

  /// Takes over the order in which other rows had their columns; all of them.
  void learn(const std::vector<uint32_t>& order);

 private:
  /// How the values of a column are stored.
  enum class Store : uint8_t { Numbers, Bools, Bytes, Others };

  /// A column at its place in the row.
  struct Field {
    KeyForm keys[2];  ///< binary, text
    Op op = Op::Skip;
    Store store = Store::Others;
    bool nullable = false;
    /// Nulls are among the values at hand.
    bool has_nulls = false;
    uint32_t column = 0;
    size_t width = 0;  ///< bytes of a number
    uint64_t min = 0;
    uint64_t span = 0;
    /// Minimum bytes in binary from here on, including the sizes of strings but not their contents.
    ptrdiff_t rest = 0;
    /// Where the values at hand go: numbers, or a byte a bool.
    uint8_t* values = nullptr;
    uint8_t* present = nullptr;
    /// Strings: where the next one goes, the ends of all, and the first byte of the column.
    char* bytes = nullptr;
    int32_t* ends = nullptr;
    const char* base = nullptr;
  };

  /// The maximum number of marks of a row: its values, the brace and the semicolon after them.
  ptrdiff_t most_marks() const { return static_cast<ptrdiff_t>(fields_.size()) + 2; }
  void make_fields();
  void open(hub::ColumnBuilder* const* columns, size_t rows, size_t bytes);
  void close(hub::ColumnBuilder* const* columns, int64_t before, size_t rows);
  void put_null(Field& field, size_t row, hub::ColumnBuilder* const* columns);
  bool take_rare(Field& field, size_t row, const char*& p, const char* end, DecodeContext& context);
  size_t walk_text(size_t rows, const char* enough, const char*& p,
                   hub::ColumnBuilder* const* columns, DecodeContext& context);
  size_t walk_wide(size_t rows, const char* enough, const char*& p,
                   hub::ColumnBuilder* const* columns, DecodeContext& context);
  template <typename Readers>
  size_t walk(size_t rows, const char* enough, const char* stop, const char*& p,
              hub::ColumnBuilder* const* columns, DecodeContext& context);
  template <typename Readers>
  bool walk_row(size_t row, const char* stop, const char*& p, const uint16_t*& mark,
                hub::ColumnBuilder* const* columns, DecodeContext& context);
  template <typename Readers>
  bool take_value(Field& field, size_t row, const char* stop, const char*& p, const char* end,
                  hub::ColumnBuilder* const* columns, DecodeContext& context);

  const Step* row_;
  bool suits_ = true;
  /// Calls that are declined before the next attempt, and how many will be after the next that
  /// fails.
  int64_t wait_ = 0;
  int64_t penalty_ = 0;

  std::vector<uint32_t> order_;
  /// The fields are not made in this order yet.
  bool stale_ = true;
  std::vector<Field> fields_;
  size_t block_rows_ = 0;
  size_t block_bytes_ = 0;
  std::vector<uint8_t> bools_;
  std::vector<uint8_t> present_;
  std::vector<const char*> begins_;
  ValueMarks marks_;
};

}  // namespace xwalk::yt
