#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xwalk/arrow/module.h"
#include "xwalk/crosswalk/compat.h"
#include "xwalk/crosswalk/diff.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/readers.h"
#include "xwalk/crosswalk/row_diff.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/acceptance.h"
#include "xwalk/report/decisions.h"

// What `check`, `compat` and `diff` say, and a project's pairs together, in the one shape that the
// writers share: text, json, html, junit, github, markdown.

namespace xwalk::report {

// What reports are about.
using crosswalk::Compat;
using crosswalk::CompatMode;
using crosswalk::CompatReason;
using crosswalk::Diff;
using crosswalk::Misreadings;
using crosswalk::PathReport;
using crosswalk::Plan;
using crosswalk::Reason;
using crosswalk::RowDiff;
using crosswalk::System;

/// Severity of a line, worst last.
enum class Severity : uint8_t { Good, Notice, Warning, Error };
std::string_view to_string(Severity severity);

/// One of the grades of a line.
struct Grade {
  std::string word;
  /// An explanation of the grade.
  std::string meaning;
  Severity severity = Severity::Good;
};

/// Returns the verdicts of `check`, best first.
std::vector<Grade> verdict_grades();

/// One statement about a line. `rule` is a slug of hub::rules, or a change or an answer's word.
struct Statement {
  std::string rule;
  std::string text;
  std::string witness;
  std::string hint;

  /// Formats a part of a sentence for one form of the report: text, an example, a hint.
  using Dress = std::string (*)(std::string_view part);
  /// Returns the sentence that all forms show: `text (example: 7); hint`.
  std::string sentence() const;
  std::string sentence(Dress dress, Dress value, Dress help) const;
};

/// A node of one schema. `label` is its name, or `[]`, `{key}`, `{value}`, `<alternative>`.
struct ReportSide {
  std::string path;
  std::string label;
  /// Its whole type, and its own layer with `…` for what the lines below say.
  std::string type;
  std::string layer;
};

/// One line of two schemas laid side by side.
struct ReportLine {
  std::optional<ReportSide> left;
  std::optional<ReportSide> right;
  int depth = 0;
  /// An index into the report's grades, and the same without what was accepted.
  size_t grade = 0;
  size_t unaccepted_verdict = 0;
  Severity severity = Severity::Good;
  /// What makes the program end with 1.
  bool fails = false;
  std::vector<Statement> statements;
  /// The line of the report's file that this line is about, from 1; 0 if unknown.
  uint64_t place = 0;

  /// The left path, or the right one of a line that the left does not have; "" for the table.
  const std::string& path() const;
};

/// One line of the table that sums up the reports on several tables.
struct TableSummary {
  std::string input;
  /// What the table becomes, or what it is compared with.
  std::string target = {};
  /// What is written for it; "" if not known.
  std::string output = {};
  std::optional<uint64_t> rows;
  /// Rows that would be rejected, if the rows were read.
  std::optional<uint64_t> rejected = {};
  /// Bytes that were read for that.
  uint64_t bytes = 0;
  std::optional<uint64_t> columns;
  /// The worst verdict, or the kind of a problem.
  std::string verdict;
  Severity severity = Severity::Good;
  /// Whether something must be decided: Settled, Open or Fails.
  DecisionState state = DecisionState::Settled;
  /// What needs a decision (`open_text`).
  std::string decision = {};
  /// Why the table fails although its report passes, or has none.
  std::string problem = {};
  /// What to do about the problem, and the place that names the table; "" if neither is known.
  std::string advice = {};
  /// Columns by the grade of the report, if they have one.
  std::vector<size_t> columns_by_grade = {};

  /// Returns the decision and the problem.
  std::string finding() const {
    return decision + (decision.empty() || problem.empty() ? "" : "; ") + problem;
  }
  /// The same, with the advice.
  std::string reason() const { return finding() + advice; }
  /// Returns what the table becomes: its output, or a format.
  const std::string& becomes() const { return output.empty() ? target : output; }
  /// Returns the input, and what it becomes: `orders → parquet`.
  std::string name() const { return target.empty() ? input : input + " → " + becomes(); }
};

/// All texts are safe to show (base::visible). Writers escape markup.
struct Report {
  /// The command: "check", "diff", "compat" or "verify"; for the reports of many in `files`,
  /// "project" or "tables".
  std::string kind;
  std::string left_name;
  std::string left_system;
  std::string right_name;
  std::string right_system;
  /// What the conversion that is checked writes; "" if not known.
  std::string output = {};
  /// What pages call it instead of its names, and who owns it; "" if not known.
  std::string title = {};
  std::string owner = {};
  /// One line: `5 columns: 4 exact, 1 checked (date)`.
  std::string summary;
  /// A few sentences on the whole of a conversion or a comparison of rows; "" for other reports.
  std::string headline;
  /// What was compared, if the report is on rows: its lines are rows and values in them.
  std::optional<RowDiff> rows;
  /// Best first, and which of them is the verdict on the whole.
  std::vector<Grade> grades;
  size_t grade = 0;
  /// Severity of the verdict, without what was accepted.
  Severity severity = Severity::Good;
  bool fails = false;
  /// The table first, if it has statements.
  std::vector<ReportLine> lines;
  /// What must be decided, was decided, or need not be, as all forms show it.
  std::vector<Decision> decisions;
  /// Rows that were read and rows that would be rejected.
  std::optional<uint64_t> rows_read;
  uint64_t bytes_read = 0;
  uint64_t rows_rejected = 0;
  /// Columns of the table; of a check, how many have each grade.
  uint64_t columns = 0;
  std::vector<size_t> columns_by_grade;
  /// Further lines for the reader: rows that were read.
  std::vector<std::string> notes;
  /// The reports on the files that make up the whole.
  std::vector<Report> files;
  /// A line for each of those, and for each problem that is about none of them.
  std::vector<TableSummary> tables;

  /// Returns whether something must be decided: Settled, Open or Fails.
  DecisionState state() const;
  /// Returns true if a line of the table sums up each problem.
  bool has_problems_in_table() const { return kind == "tables"; }
  /// Returns what a line of the table is called. Tables that become one format are their inputs.
  std::string name_of(const TableSummary& table) const {
    return kind == "tables" && table.output.empty() ? table.input : table.name();
  }
  /// Returns true if the report only collects others.
  bool is_set() const { return kind == "project" || kind == "tables"; }
};

/// What reading the rows found of one path.
struct PathRows {
  Path path;
  uint64_t rejected = 0;
  /// Why the first row was rejected, and which it was.
  std::string first;
  std::optional<uint64_t> first_row;
  /// Smallest and largest value seen, in the source's text form; "" if none was seen.
  std::string smallest;
  std::string largest;
};

/// What reading the rows found.
struct Rows {
  uint64_t read = 0;
  /// The bytes that held them.
  uint64_t bytes = 0;
  uint64_t rejected = 0;
  std::vector<PathRows> paths;
};

/// A file of several that have different schemas.
struct FileCheck {
  std::string name;
  /// Of the file by itself.
  Plan plan;
  /// By column, in a few words: its type in the schema of all files.
  std::vector<std::pair<Path, std::string>> changes;
};

/// What `check` has found.
struct Check {
  const Plan* plan = nullptr;
  std::string name;
  /// The format to write if its name differs from that of the plan's system: "csv".
  std::string target_name;
  /// The first verdict that counts as a failure.
  hub::Verdict fail_on = hub::Verdict::Lossy;
  std::optional<Rows> rows;
  /// How many rows may be rejected.
  uint64_t max_rejected = 0;
  /// The file of rejected rows, if the conversion names one.
  std::string rejects = {};
  /// What the conversion writes, if that is known.
  std::string output = {};
  /// Absent unless asked for.
  std::optional<Misreadings> readers;
  /// The rows that a conversion by key has added and replaced; absent for others.
  std::optional<uint64_t> inserted;
  std::optional<uint64_t> updated;
  /// Findings from reading the rows that no schema has.
  hub::Findings notes;
  /// The files of an input whose schemas were unified.
  std::vector<FileCheck> files;
  /// Of one file of those.
  std::vector<std::pair<Path, std::string>> changes;
  /// The interface that shows the report: hints spell options as that interface does.
  hub::Interface interface = hub::Interface::Program;
  std::vector<Acceptance> accepted;

  /// Returns what the target is called.
  std::string target() const;
  /// Returns whether more rows were rejected than may be.
  bool rows_fail() const { return rows && rows->rejected > max_rejected; }
  /// Returns whether a conversion would not start, or not finish, without what was accepted.
  bool fails() const;
  /// Returns whether an accepted finding is one of the report's.
  bool has(const Acceptance& finding) const;
};

/// What `compat` has found.
struct CompatCheck {
  const Compat* compat = nullptr;
  std::string old_name;
  std::string new_name;
  System old_system = arrow::kModule;
  System new_system = arrow::kModule;
  const hub::Schema* old_schema = nullptr;
  const hub::Schema* new_schema = nullptr;
  CompatMode mode = CompatMode::Backward;
  std::vector<Acceptance> accepted;

  /// Returns whether the answer is not compatible without what was accepted.
  bool fails() const;
  /// Returns whether an accepted finding is one of the report's.
  bool has(const Acceptance& finding) const;
};

/// What `diff` has found.
struct DiffCheck {
  const Diff* diff = nullptr;
  std::string left_name;
  std::string right_name;

  bool fails() const { return !diff->same(); }
};

Report report_of(const Check& check);
/// Returns the report on one of the files alone, which `check` must outlive.
Check check_of(const Check& check, const FileCheck& file);
Report report_of(const CompatCheck& check);
Report report_of(const DiffCheck& check);
/// Lines are the whole, then columns that are not compared, then the first differences.
Report report_of(const RowDiff& diff);
/// Says why a path is not exact, and whether that was accepted.
Statement statement_of(const Check& check, const PathReport& path, const Reason& reason);
/// Says why two schemas are not compatible, and whether that was accepted.
std::string text_of(const CompatCheck& check, const CompatReason& reason);

/// Returns one line on the columns: `5 columns: 4 exact, 1 checked (date)`, naming those worse than
/// annotated, at most eight.
std::string summary(const Plan& plan);

/// Returns the answer in words: compatible, needs validation, incompatible.
std::string_view answer_text(yt::Compatibility answer);

/// One fact about a path from the data or the readers of a file.
struct Fact {
  Path path;
  Severity severity = Severity::Good;
  Statement statement;
};
std::vector<Fact> facts_of(const Check& check);
/// Returns the lines that sum those facts up.
std::vector<std::string> notes_of(const Check& check);

}  // namespace xwalk::report
