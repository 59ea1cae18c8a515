#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "xwalk/report/report.h"

namespace xwalk::report {

/// A statement of a project file that is not true (any more), or an input without a report.
struct Problem {
  /// "expired", "not-found" or "error" of a project; of tables "error" for a file that cannot be
  /// read, "differs" for one that is not of the same schema as the others, "unpaired" for a table
  /// that only one side has.
  std::string_view kind;
  /// What it is about: a finding, or an input.
  std::string subject;
  /// The problem, without what to do.
  std::string text;
  /// Where the file of a project says it.
  uint64_t line = 0;
  /// The first of the reports that it may be about, and the one after the last.
  std::pair<size_t, size_t> reports = {0, SIZE_MAX};
  /// What to do; "" if that is not known.
  std::string hint = {};
  /// What the table would become; "" if it is not known.
  std::string becomes = {};

  /// Returns false for a warning: an accepted finding that no report has.
  bool fails() const { return kind != "not-found"; }
  /// Returns true if it is about a table, not about an entry of a project.
  bool is_about_table() const { return kind != "not-found" && kind != "expired"; }
  /// Returns what follows the text: what to do, as a further sentence.
  std::string advice() const { return hint.empty() ? "" : ". " + hint; }
  /// Returns the text with what to do.
  std::string whole() const { return text + advice(); }
};

/// Reports that are shown together: those of a project's pairs, or of the tables that an input
/// consists of.
struct ReportSet {
  /// "project" or "tables".
  std::string_view kind = "project";
  /// The file that names the pairs, or the input.
  std::string name;
  /// What pages call it and who owns it, "" if not known.
  std::string title = {};
  std::string owner = {};
  std::vector<std::variant<Check, CompatCheck, DiffCheck, RowDiff>> reports;
  /// Rows that the files of each report's input record, if they do; empty if not known for any.
  std::vector<std::optional<uint64_t>> recorded_rows;
  std::vector<Problem> problems;

  bool fails() const;
};

/// Returns the reports of a set in the shape that the writers share.
Report report_of(const ReportSet& set);

}  // namespace xwalk::report
