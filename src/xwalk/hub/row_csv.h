#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/array.h"
#include "xwalk/hub/row_text.h"
#include "xwalk/hub/type.h"
#include "xwalk/yson/writer.h"

namespace xwalk::hub {

/// How text is written that a spreadsheet runs as a formula.
enum class CsvFormulas : uint8_t {
  Keep,    ///< written as it is
  Escape,  ///< written after an apostrophe
  Reject,  ///< its row is rejected
};

/// Returns true if a spreadsheet takes text for a formula: it begins with `=`, `+`, `-`, `@`, a tab
/// or a carriage return.
bool is_formula(std::string_view text);

/// Returns true if values of a field may be such text: those of text and bytes, not numbers, dates,
/// decimals or uuids, whose forms are known, and not lists, structs and maps, which are JSON.
bool may_be_formula(const Field& field);

/// Appends text as a CSV field by RFC 4180: in double quotes if it is empty or contains a comma, a
/// quote or a line break. Counts long text.
void append_csv_text(std::string_view text, yson::Buffer* out, yson::BufferCount* count);

/// Writes rows of a schema as CSV.
class CsvRows {
 public:
  CsvRows(const Schema& schema, CsvFormulas formulas, HoldsYson holds_yson = nullptr);

  /// Appends the names of columns as a line. A name that is a formula is escaped as values are, and
  /// never refused.
  void append_header(yson::Buffer* out) const;

  /// Appends a row of a struct array as a line: text as it is, null as nothing, which empty text is
  /// not; other values as in JSON, without quotes; lists, structs and maps as JSON. An apostrophe
  /// also comes before text that is a formula after apostrophes, so that the text can be restored.
  /// Adds the columns whose values are formulas to `found`. Throws Error (Input) with the column
  /// for a value that must be rejected. What it appends, and the text of a value that is not text,
  /// is memory of the batch.
  void append(const Array& array, int64_t row, yson::Buffer* out,
              std::vector<size_t>* found = nullptr) const;

 private:
  /// The line of a row.
  struct Line {
    yson::Buffer* out;
    yson::BufferCount count;
    std::string scratch;
  };

  void append_value(size_t column, const Array& array, int64_t index, Line* line,
                    std::vector<size_t>* found) const;
  void append_cell(std::string_view text, Line* line) const;

  const Schema& schema_;
  CsvFormulas formulas_;
  HoldsYson holds_yson_;
  std::vector<bool> may_be_formula_;  ///< one per column
};

}  // namespace xwalk::hub
