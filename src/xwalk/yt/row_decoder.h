#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/yt/read_options.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {

struct RowProgram;

/// The position of a run of rows in its input, for messages.
struct RowsPlace {
  std::string file;
  uint64_t byte = 0;
  /// Line and column (both from 1) of the first byte; no line where the input is known to be
  /// binary.
  std::optional<uint64_t> line = 1;
  uint64_t column = 1;
  /// The table of the rows until a control entity changes it, and other attributes that such
  /// entities set for the next row.
  uint32_t table = 0;
  hub::RowControl control;
};

/// What decoding met that no schema says: control attributes, and integers that were read as
/// doubles.
struct ControlsMet {
  bool range_index = false;
  bool row_index = false;
  bool key_switch = false;
  bool table_index = false;
  bool tablet_index = false;
  uint64_t integers = 0;
};

/// Returns the bytes of each row of a text that ends after a row, as far as the ends of rows are
/// found. With `wanted`, only rows of that table; rows belong to `*table` until a control entity
/// names another one, which `*table` is then.
std::vector<std::string_view> rows_in(std::string_view complete_rows,
                                      std::optional<uint32_t> wanted, uint32_t* table);

/// Decodes runs of complete rows in memory. Compiled once. A copy shares the compiled program and
/// can be used in another thread.
class RowDecoder {
 public:
  /// Throws as `read_rows` does.
  RowDecoder(const TableSchema& schema, const ReadOptions& options);
  ~RowDecoder();
  RowDecoder(const RowDecoder& other);
  RowDecoder(RowDecoder&&) noexcept;
  RowDecoder& operator=(const RowDecoder&) = delete;
  RowDecoder& operator=(RowDecoder&&) = delete;

  const hub::Schema& schema() const;

  /// Decodes all rows of a text that ends after a complete row. With `skip_bad_rows`, rejected rows
  /// are in `bad`. Otherwise the first one is thrown. Throws Error (Input) if row boundaries cannot
  /// be found. Ignores the batch limits of the options.
  hub::Batch decode(std::string_view complete_rows, int64_t first_row, const RowsPlace& place = {});
  /// Returns how many rows a batch may have by the limits of the options, for rows without values:
  /// those of a wide table take memory for every column.
  int64_t batch_rows() const;
  /// Returns where the rows decoded last end.
  const RowsPlace& end() const;
  /// Returns what was met so far.
  ControlsMet met() const;

 private:
  friend std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                                     const RowDecoder& compiled);
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads rows as `read_rows` with the decoder's schema and options does, and compiles nothing.
std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const RowDecoder& compiled);

}  // namespace xwalk::yt
