#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/input.h"
#include "xwalk/skiff/reader.h"
#include "xwalk/skiff/row.h"
#include "xwalk/skiff/writer.h"
#include "xwalk/yson/node.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::skiff {

/// Row and range index of the rows of a stream, which it gives in full only where they do not
/// follow from the row before. A change of table or range makes them unknown.
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

/// Tag behind the last row of a stream with `enable_end_of_stream`.
inline constexpr uint16_t kEndOfStream = 0xFFFF;

/// Returns what is said of a tag that is no table's, and what to do about it.
std::string unknown_table(size_t tables, uint16_t tag);
std::string end_of_stream_hint(uint16_t tag);

struct RowReaderOptions {
  /// The stream must end with the tag 0xFFFF; without this, it must not.
  bool require_end_of_stream = false;
};

/// Checks the maps of `$other_columns` of a table whose columns are described.
class OthersCheck {
 public:
  explicit OthersCheck(const BoundTable& table);
  /// Throws Error (Input) with the path of a column that is missing, unknown or not of its type.
  void check(const yson::Node& map);

 private:
  /// None where anything may stand in the map.
  std::optional<yt::RowDecoder> decoder_;
};

/// Reads the rows of a stream one by one, with every check: tags, lengths, ranges, text, columns
/// given twice. The row is a tree; for many rows, see values.h.
class RowReader {
 public:
  RowReader(std::vector<BoundTable> tables, Input& input, const RowReaderOptions& options = {});

  /// Returns the next row, or nothing at the end. Throws Error (Input) with table, row, column path
  /// and byte. After an error the stream cannot be read on.
  std::optional<Row> next();
  /// Does the same into a row whose memory is used again. Returns false at the end.
  bool next(Row* row);
  /// Reads one row of the first table whose table tag is already taken, with what is known of the
  /// row before. Throws as `next`, without table and row.
  Row read_behind_tag(const IndexTracker& before);
  uint64_t rows() const { return rows_; }

 private:
  /// What stands in a slot, if it is a dense column of one of the usual types, which `take_usual`
  /// reads.
  struct Usual {
    enum class Kind : uint8_t { None, Boolean, Int64, Uint64, Double, String, Utf8 };
    Kind kind = Kind::None;
    bool optional = false;
    /// The least integer, in two's complement, and how far above it the largest one is.
    uint64_t low = 0;
    uint64_t span = 0;
    std::string name;
  };

  static Usual usual_of(const BoundColumn& column);
  /// Reads the value of such a column, which is there. Returns the byte behind it, or null where
  /// the value is not there as a whole or not good, which the way of all types then says in its
  /// words.
  static const char* take_value(const Usual& usual, const char* at, const char* end,
                                yson::Node* out);
  /// Reads the columns of slots from `slot` on, as far as they are usual and good, into the first
  /// entries behind `*filled`. Returns how many slots that are.
  size_t take_usual(uint32_t table, size_t slot, yson::Node::Map* columns, size_t* filled);
  void read_columns(uint32_t table, Row* row);
  std::optional<int64_t> read_index(const Type& type, std::optional<int64_t> implied,
                                    const Path& path, bool* was_implied);
  void read_other(uint32_t table, Row* row);

  std::vector<BoundTable> tables_;
  std::vector<OthersCheck> others_;
  /// By table, then slot.
  std::vector<std::vector<Path>> paths_;
  /// By table, then slot, and one of no column behind the last.
  std::vector<std::vector<Usual>> usual_;
  Reader reader_;
  RowReaderOptions options_;
  IndexTracker tracker_;
  uint64_t rows_ = 0;
};

/// Writes rows one by one, with every check. For output streams, which have one table each, the
/// table is 0.
class RowWriter {
 public:
  /// Appends to `out`, which must outlive the writer.
  RowWriter(std::vector<BoundTable> tables, std::string* out);

  /// Appends a row. Columns that are absent are null. Throws Error (Input) with table, row and
  /// column path; nothing of the row is appended then.
  void write(const Row& row);
  void write_end_of_stream();

 private:
  void write_row(const Row& row);
  void write_index(const Type& type, std::optional<int64_t> value, std::optional<int64_t> implied,
                   const Path& path);

  std::vector<BoundTable> tables_;
  std::vector<OthersCheck> others_;
  /// Place among the columns of each name.
  std::vector<std::map<std::string, size_t, std::less<>>> places_;
  std::string* out_;
  Writer writer_;
  IndexTracker tracker_;
  uint64_t rows_ = 0;
};

}  // namespace xwalk::skiff
