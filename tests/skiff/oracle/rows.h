#pragma once

// Rows of Skiff one token at a time, as trees, with every check: the oracle that the columnar codec
// is compared with.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/skiff/oracle/tokens.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/input.h"
#include "xwalk/skiff/row.h"
#include "xwalk/skiff/stream.h"
#include "xwalk/yson/node.h"
#include "xwalk/yt/row_decoder.h"

namespace xwalk::skiff {

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
  /// None if the map may hold any columns.
  std::optional<yt::RowDecoder> decoder_;
};

/// Reads the rows of a stream one by one, with every check: tags, lengths, ranges, text, columns
/// given twice.
class RowReader {
 public:
  RowReader(std::vector<BoundTable> tables, Input& input, const RowReaderOptions& options = {});

  /// Returns the next row, or nothing at the end. Throws Error (Input) with table, row, column path
  /// and byte. After an error the stream cannot be read on.
  std::optional<Row> next();

 private:
  std::optional<Row> read_row(std::optional<uint32_t>* table);
  void read_columns(uint32_t table, Row* row);
  void read_sparse(const BoundTable& table, const Path& path, Row* row);
  std::optional<int64_t> read_index(const Type& type, std::optional<int64_t> implied,
                                    const Path& path, bool* was_implied);
  void read_other(uint32_t table, Row* row);

  std::vector<BoundTable> tables_;
  std::vector<OthersCheck> others_;
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
