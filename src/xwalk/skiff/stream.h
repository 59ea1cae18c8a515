#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace xwalk::skiff {

/// Row and range index of the rows of a stream, which it has in full only if they do not follow
/// from the row before. A change of table or range makes them unknown.
class IndexTracker {
 public:
  /// Call at each row.
  void begin_row(uint32_t table) {
    if (table_ != table) range_index_ = row_index_ = std::nullopt;
    table_ = table;
  }
  void set_range(std::optional<int64_t> range) {
    if (range != range_index_) row_index_ = std::nullopt;
    range_index_ = range;
  }
  void set_row(std::optional<int64_t> row) { row_index_ = row; }
  std::optional<int64_t> range_index() const { return range_index_; }
  /// Returns the index of the row before, if it is known and in the same range.
  std::optional<int64_t> row_index() const { return row_index_; }

 private:
  std::optional<uint32_t> table_;
  std::optional<int64_t> range_index_;
  std::optional<int64_t> row_index_;
};

/// Tag after the last row of a stream with `enable_end_of_stream`.
inline constexpr uint16_t kEndOfStream = 0xFFFF;

/// Return the message about a table tag that is not an index of a table, and its hint.
std::string unknown_table(size_t tables, uint16_t tag);
std::string end_of_stream_hint(uint16_t tag);

}  // namespace xwalk::skiff
