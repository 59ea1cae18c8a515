#pragma once

#include <cstdint>
#include <vector>

#include "xwalk/hub/builder.h"
#include "xwalk/yt/back_off_internal.h"
#include "xwalk/yt/decode_context_internal.h"
#include "xwalk/yt/row_outline_internal.h"
#include "xwalk/yt/value_marks_internal.h"

namespace xwalk::yt {

/// Decodes some rows at once.
///
/// Rows whose columns have the same order as in the rows before are decoded one after the other,
/// each in one pass. The next columns are a list that is only compared with the input, and values
/// go straight into their columns. In binary the only dependency chain is from one size to the
/// next. In text there is none, because a bitmap marks the ends of values. Columns that are usually
/// absent are part of the order.
///
/// Rows with keys in another order are decoded by columns: `RowOutline` finds the values, and the
/// same readers then read each column in one loop. Rows that differ in any way from the usual ones
/// are left to `decode_row`.
class RowBlock {
 public:
  explicit RowBlock(const RowProgram& program);

  /// Returns false if the columns are too many, or of types that it does not decode.
  bool suits() const { return outline_.suits(); }

  /// Forgets the bytes at hand, which change.
  void forget() { marks_.forget(); }

  /// Decodes rows starting with the one whose `{` is at `p`, at most `most`, and none that begins
  /// at or after `enough`. Each column has `row` values already. Moves `p` past the `}` of the last
  /// row and returns the number of rows. If it returns 0, nothing has changed and `decode_row` must
  /// decode the next row. Appends the start of each row to `begins`, if not null.
  int64_t decode(hub::ColumnBuilder* const* columns, int64_t row, int64_t most, const char* enough,
                 const char*& p, DecodeContext& context, std::vector<const char*>* begins);

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

  /// What one call decodes: the target columns, their length, and the shared state of decoders.
  struct Target {
    hub::ColumnBuilder* const* columns;
    int64_t row;
    DecodeContext& context;
  };

  /// The maximum number of marks of a row: its values, the brace and the semicolon after them.
  ptrdiff_t most_marks() const { return static_cast<ptrdiff_t>(fields_.size()) + 2; }
  /// Takes over the order in which other rows had their columns; all of them.
  void learn(const std::vector<uint32_t>& order);
  void make_fields();
  void mark(const char* p, const char* end);
  void open(Field& field, const Target& target, size_t rows, size_t bytes);
  void close(Field& field, const Target& target, size_t rows);
  void put_null(Field& field, size_t row, const Target& target);
  bool take_rare(Field& field, size_t row, const char* stop, const char*& p, const char* end,
                 const Target& target);
  size_t decode_ordered(size_t rows, const char* enough, bool text, const char*& p,
                        const Target& target);
  size_t decode_any_order(int64_t most, const char* enough, bool text, const char*& p,
                          const Target& target);
  size_t walk_text(size_t rows, const char* enough, const char*& p, const Target& target);
  size_t walk_wide(size_t rows, const char* enough, const char*& p, const Target& target);
  template <typename Readers>
  size_t walk(size_t rows, const char* enough, const char* stop, const char*& p,
              const Target& target);
  template <typename Readers>
  bool walk_row(size_t row, const char* stop, const char*& p, const uint16_t*& mark,
                const Target& target);
  bool read_text_column(Field& field, size_t rows, const Target& target);
  bool read_wide_column(Field& field, size_t rows, const Target& target);
  template <typename Readers>
  bool read_column(Field& field, size_t rows, const Target& target);
  template <typename Readers, Op kOp>
  size_t read_values(Field& field, size_t rows, const Target& target);
  template <typename Readers>
  bool take_value(Op op, Field& field, size_t row, const char* stop, const char*& p,
                  const char* end, const Target& target);

  const Step* row_;
  BackOff ordered_;
  BackOff any_order_;
  RowOutline outline_;
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
