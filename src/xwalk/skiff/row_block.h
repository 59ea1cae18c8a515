#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/batch.h"
#include "xwalk/skiff/encode.h"
#include "xwalk/skiff/row_plan.h"
#include "xwalk/yson/writer.h"

namespace xwalk::skiff {

/// What a field of a row is written from.
enum class RowStep : uint8_t {
  /// A value of this many bytes. Optional: after a tag, 1 if there is a value. Fixed8: values of 8
  /// bytes, together with the adjacent fields of this kind.
  Fixed1,
  Fixed2,
  Fixed4,
  Fixed8,
  Optional1,
  Optional2,
  Optional4,
  Optional8,
  Bytes,
  OptionalBytes,
  List,
  OptionalList,
  Scratch,
};

/// The values of a field, from the first row of the block on.
struct RowField {
  RowStep step = RowStep::Fixed1;
  /// Fixed8: the number of adjacent fields, and the index of the first one in `RowBlock::eights()`.
  uint32_t eights = 1;
  uint32_t first_eight = 0;
  /// Values of the width of the step, bytes of strings, items of lists or scratches.
  const char* values = nullptr;
  const uint8_t* present = nullptr;
  const int32_t* offsets = nullptr;
  const uint32_t* sizes = nullptr;
  /// The last offset at which a whole step can be read.
  int64_t last_step = 0;
  /// Lists: bytes of an item and of a tag.
  uint8_t width = 0;
  uint8_t tag_bytes = 0;
};

/// Prepares the rows of one batch, a block at a time and column by column: finds nulls, checks
/// ranges, widens numbers and encodes what cannot be copied, so that writing a row is copying.
class RowBlock {
 public:
  /// Rows of a block. Values prepared for them stay in the first-level cache.
  static constexpr size_t kRows = 256;
  /// Strings of up to this size are copied in two whole steps, which may write past their end.
  static constexpr size_t kStep = 32;
  /// Items of a list are written this many at a time, even if the list has fewer, as far as the
  /// array has items to read.
  static constexpr size_t kItems = 4;

  /// `first_row` is the number of the batch's first row in the input, `begin` the row whose index
  /// is written in full. Throws Error (Usage) if the batch has another number of columns.
  RowBlock(const RowPlan& plan, const hub::Array& batch, int64_t first_row, int64_t first_index,
           int64_t begin, std::span<const hub::RowControl> controls);

  /// Prepares up to kRows rows of [first, end) and returns an upper bound of their bytes.
  /// Throws Error (Input) with row and column path for a value that cannot be written.
  uint64_t prepare(int64_t first, int64_t end);
  size_t rows() const { return rows_; }
  /// In the order of the row. Writing a scratch moves its `values`.
  std::vector<RowField>& fields() { return fields_; }
  const std::vector<const char*>& eights() const { return eights_; }

 private:
  /// The values of a column: row r is element `slot` + r.
  struct Input {
    const hub::Array* array = nullptr;
    int64_t slot = 0;
  };
  /// Bytes of a column that is encoded value by value.
  struct Scratch {
    std::string bytes;
    std::array<uint32_t, kRows> sizes;
  };
  /// Values of a column in their width on the wire.
  using Wires = std::array<char, kRows * sizeof(uint64_t)>;

  Input input_of(size_t field, const std::vector<size_t>& members) const;
  const hub::Array& array_of(size_t index, int64_t* first) const;
  uint8_t* present(size_t column) { return present_.data() + column * kRows; }
  Place place_of(size_t row) const;
  [[noreturn]] void refuse(size_t column, size_t row, Refusal refusal) const;

  uint64_t find_bound();
  void check_outers() const;
  void check_items(size_t index, const hub::Array& array, const int32_t* offsets);
  void find_nulls(size_t index, const hub::Array& array, int64_t first);

  uint64_t make_scratch(size_t index);
  std::optional<int64_t> index_of(Role role, int64_t row) const;
  bool is_implied(Role role, int64_t row) const;
  void make_index(Role role, int64_t row, std::string* out) const;
  bool is_empty_map(int64_t row) const;
  void make_other(int64_t row, std::string* out);
  void check_unplaced(int64_t row, std::string_view map) const;
  void make_sparse(size_t index, int64_t slot, std::string* out) const;

  void find_fields();
  void find_field(size_t index, RowField* field);
  void merge_eights();
  Wires& wires_of(size_t index);
  template <typename Wire, typename Load>
  void make_wires(size_t index, RowField* field, const Load& load);
  template <typename Value>
  void find_integers(size_t index, RowField* field);
  template <typename Load>
  void check_ranges(size_t index, const Load& load);
  void find_reals(size_t index, RowField* field);
  void find_booleans(size_t index, RowField* field);
  void find_varying(size_t index, RowField* field);

  const RowPlan& plan_;
  const hub::Array& batch_;
  int64_t first_row_;
  int64_t first_index_;
  int64_t indexed_row_;
  std::span<const hub::RowControl> controls_;
  /// kRows per column: 1 if there is a value.
  std::vector<uint8_t> present_;
  std::vector<uint8_t> all_present_;
  std::vector<Scratch> scratches_;
  /// Per column; null if the values are copied from Arrow.
  std::vector<std::unique_ptr<Wires>> wires_;
  std::vector<RowField> fields_;
  std::vector<const char*> eights_;
  /// Per column; per struct of columns.
  std::vector<Input> inputs_;
  std::vector<Input> outers_;
  /// The columns of `$other_columns`, and the map of a row.
  hub::Array others_;
  yson::Buffer map_;
  size_t rows_ = 0;
  /// The first row of the block, and its index in the columns.
  int64_t first_ = 0;
  int64_t first_slot_ = 0;
};

}  // namespace xwalk::skiff
