#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/limits.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// How deep a value of `any` nests at most in a row, whose columns are one level.
inline constexpr int kAnyDepth = 254;

/// Columns with the source position of rows, as control entities report it.
inline constexpr std::string_view kTableIndex = "$table_index";
inline constexpr std::string_view kRangeIndex = "$range_index";
inline constexpr std::string_view kRowIndex = "$row_index";
inline constexpr std::string_view kKeySwitch = "$key_switch";
inline constexpr std::string_view kTabletIndex = "$tablet_index";

/// Options of `read_rows` and `RowDecoder`.
struct ReadOptions {
  ValueOptions values;
  /// Top-level columns to decode, always in schema order; empty for all. Others are skipped (their
  /// syntax is still checked).
  std::vector<std::string> columns;
  /// Top-level columns of type `any` whose values are decoded as VARIANT. Rows with values that
  /// VARIANT lacks are rejected.
  std::vector<std::string> variants;
  /// A batch ends after this many rows or, roughly, bytes of Arrow memory, whichever comes first.
  int64_t batch_rows = limits::kBatchRows;
  size_t batch_bytes = limits::kBatchBytes;
  /// A longer row ends the stream with an error.
  size_t row_bytes = limits::kRowBytes;
  /// Keeps rejected rows in `Batch::bad` and goes on. Otherwise the first one ends the stream with
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
  /// Columns after the others: the table, range and row that control entities give a row. With the
  /// first, rows may be of any tables.
  bool table_index = false;
  bool range_index = false;
  bool row_index = false;
  /// Fills `Batch::controls` if the input has control entities.
  bool controls = false;
};

}  // namespace xwalk::yt
