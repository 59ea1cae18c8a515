#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/byte_stream.h"
#include "xwalk/base/limits.h"
#include "xwalk/hub/batch.h"
#include "xwalk/yt/schema.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// How deep a value of `any` nests at most in a row, whose columns are one level.
inline constexpr int kAnyDepth = 254;

/// Columns that tell where rows stand, as control entities say.
inline constexpr std::string_view kTableIndex = "$table_index";
inline constexpr std::string_view kRangeIndex = "$range_index";
inline constexpr std::string_view kRowIndex = "$row_index";
inline constexpr std::string_view kKeySwitch = "$key_switch";

/// What `read_rows` and `RowDecoder` are told.
struct ReadOptions {
  ValueOptions values;
  /// Top-level columns to decode, in schema order whatever the order here; empty for all. Others
  /// are skipped (their syntax is still checked).
  std::vector<std::string> columns;
  /// A batch ends after this many rows or, roughly, bytes of Arrow memory, whichever comes first.
  int64_t batch_rows = limits::kBatchRows;
  size_t batch_bytes = limits::kBatchBytes;
  /// A longer row ends the stream with an error.
  size_t row_bytes = limits::kRowBytes;
  /// Keeps refused rows in `Batch::bad` and goes on. Otherwise the first one ends the stream with
  /// its error.
  bool skip_bad_rows = false;
  /// What a key twice in one row means.
  RepeatedKeys repeated_keys = RepeatedKeys::Error;
  /// Reads an integer as the double that equals it, for rows whose schema was inferred. A cluster
  /// refuses such rows.
  bool integers_in_doubles = false;
  /// Takes only rows of this table index, as control entities `<table_index=N>#` set it. Without
  /// it, a change of table is an error.
  std::optional<uint32_t> table;
  /// Columns behind the others: the table, range and row that control entities give a row. With the
  /// first, rows may be of any tables.
  bool table_index = false;
  bool range_index = false;
  bool row_index = false;
  /// Fills `Batch::controls`, where control entities say anything of its rows.
  bool controls = false;
};

/// Returns the Arrow schema of the batches that `read_rows` makes: `to_arrow` of the table schema,
/// projected, and the columns of what control entities say.
hub::Schema rows_schema(const TableSchema& schema, const ReadOptions& options);

/// Reads YSON rows, text or binary or both: a list fragment of maps. Memory is bounded by the size
/// of a batch and of the longest row. Errors of rows carry row number, column path, table and place
/// (byte; line and column too where the input is text). Throws Error (Unsupported) for a type
/// without an Arrow form, Error (Usage) for an unknown column.
std::unique_ptr<hub::BatchReader> read_rows(std::unique_ptr<ByteSource> source,
                                            const TableSchema& schema, const ReadOptions& options);

/// Writes batches of the schema `to_arrow(schema)` as YSON rows in the format of the options. A
/// null in a row of a required column, or another value the type does not hold, is an error.
std::unique_ptr<hub::BatchWriter> write_rows(std::unique_ptr<ByteSink> sink,
                                             const TableSchema& schema,
                                             const ValueOptions& options);

}  // namespace xwalk::yt
