#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/convert/convert_options.h"
#include "xwalk/convert/tables.h"
#include "xwalk/crosswalk/report_set.h"

namespace xwalk::io {

/// A question about an input before it is converted.
struct InputsQuestion {
  Locations names;
  /// The system whose syntax schema files are in.
  std::optional<crosswalk::System> source;
  /// The system of the output; nothing to check readers against the files as they are.
  std::optional<crosswalk::System> target;
  /// The output that the rows would be added to.
  std::optional<std::string> append;
  /// Also reads the rows.
  bool rows = false;
  bool readers = false;
  /// The readers that are asked; empty for all.
  std::vector<crosswalk::ChosenReader> only_readers;
  /// Also counts the files of a single table, by a further listing of its folders.
  bool counts_files = false;
  /// The first verdict that fails; by default the first that `convert` refuses.
  std::optional<hub::Verdict> fail_on;
  hub::Interface interface = hub::Interface::Program;
  /// Called with the schema of each table before it is planned.
  std::function<void(const InputTable&)> on_table;
};

/// The answer for one table.
struct CheckedTable {
  std::unique_ptr<crosswalk::Plan> plan;
  crosswalk::Check check;
};

/// The answers for all tables of an input.
struct CheckedInputs {
  std::string name;
  std::vector<CheckedTable> tables;
  /// How many files a single table is; 0 if it is not known.
  size_t files = 0;
  std::vector<std::optional<uint64_t>> recorded_rows;
  std::vector<crosswalk::Problem> problems;
  /// Of files that cannot be read, and tables that cannot be checked.
  std::vector<Error> errors;
  hub::Interface interface = hub::Interface::Program;

  /// Returns true if there is one answer for everything that was named.
  bool is_one() const { return tables.size() == 1 && problems.empty(); }
  /// Returns the answers as one report. It refers to this.
  crosswalk::ReportSet set() const;
};

/// Checks one table whose schema is known. Its paths are opened only to read rows. Throws Error.
CheckedTable check_table(const InputTable& table, const InputsQuestion& question,
                         ConvertOptions options);

/// Answers the question for each table of an input; `options` are those of the conversion,
/// after `set_reading`. Throws Error if nothing can be answered.
CheckedInputs check_inputs(const InputsQuestion& question, const ConvertOptions& options);

}  // namespace xwalk::io
