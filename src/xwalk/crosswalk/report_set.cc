#include "xwalk/crosswalk/report_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"

namespace xwalk::crosswalk {
namespace {

/// Columns of a table that the summary names.
constexpr size_t kColumnsOfTable = 8;

bool fails(const RowDiff& diff) { return !diff.same(); }
template <typename Found>
bool fails(const Found& found) {
  return found.fails();
}

}  // namespace

bool ReportSet::fails() const {
  return std::ranges::any_of(problems, &Problem::fails) ||
         std::ranges::any_of(reports, [](const auto& report) {
           return std::visit([](const auto& one) { return crosswalk::fails(one); }, report);
         });
}

namespace {

/// Names the columns and the table of a report that need a decision; for rows, what differs.
std::string decision_of(const Report& report) {
  if (report.rows) return report.fails ? report.summary : "";
  std::vector<std::string> names;
  size_t more = 0;
  for (const ReportLine& line : report.lines) {
    if (line.depth > 0 || (line.severity < Severity::Warning && !line.fails)) continue;
    if (names.size() == kColumnsOfTable) {
      ++more;
    } else {
      names.push_back(line.path().empty() ? std::string(kTablePath) : line.path());
    }
  }
  if (more > 0) names.push_back(fmt::format("{} more", grouped(more)));
  return join(names, ", ");
}

uint64_t columns_of(const Check& check) { return check.plan->column_verdicts().size(); }
uint64_t columns_of(const CompatCheck& check) { return check.new_schema->fields.size(); }
uint64_t columns_of(const DiffCheck& check) { return check.diff->right_columns; }
uint64_t columns_of(const RowDiff& diff) { return diff.all_columns; }

std::optional<uint64_t> rows_of(const Check& check) {
  return check.rows ? std::optional(check.rows->read) : std::nullopt;
}
std::optional<uint64_t> rows_of(const CompatCheck&) { return std::nullopt; }
std::optional<uint64_t> rows_of(const DiffCheck&) { return std::nullopt; }
std::optional<uint64_t> rows_of(const RowDiff& diff) { return diff.right_rows; }

/// Sums up the reports of a set, whose own are `files`, and its problems.
std::vector<TableSummary> summaries_of(const ReportSet& set, const std::vector<Report>& files) {
  std::vector<TableSummary> out;
  for (size_t i = 0; i < files.size(); ++i) {
    const Report& file = files[i];
    TableSummary& line = out.emplace_back();
    line.input = file.left_name;
    std::visit(
        [&](const auto& found) {
          line.rows = rows_of(found);
          line.columns = columns_of(found);
        },
        set.reports[i]);
    if (!line.rows && i < set.recorded_rows.size()) line.rows = set.recorded_rows[i];
    line.verdict = file.grades[file.grade].word;
    line.severity = file.fails ? Severity::Error : file.severity;
    line.decision = decision_of(file);
  }
  for (const Problem& problem : set.problems) {
    const std::string subject = visible(shown_name(problem.subject));
    const std::string text = visible(shown_text(problem.text));
    const auto line = std::ranges::find(out, subject, &TableSummary::input);
    if (line == out.end()) {
      out.push_back({subject, {}, {}, std::string(problem.kind), Severity::Error, text});
      continue;
    }
    line->severity = Severity::Error;
    line->decision += (line->decision.empty() ? "" : "; ") + text;
  }
  return out;
}

/// Collects the reports of a set in `report`. Each kind of report has grades of its own; here they
/// follow each other. Returns how many fail.
size_t collect_files(const ReportSet& set, Report* report) {
  size_t failed = 0;
  std::vector<std::pair<std::string, size_t>> first;
  for (const auto& found : set.reports) {
    Report one = std::visit([](const auto& check) { return report_of(check); }, found);
    failed += one.fails ? 1 : 0;
    auto kind = std::ranges::find(first, one.kind, &std::pair<std::string, size_t>::first);
    if (kind == first.end()) {
      kind = first.emplace(first.end(), one.kind, report->grades.size());
      std::ranges::copy(one.grades, std::back_inserter(report->grades));
    }
    for (ReportLine& line : one.lines) {
      line.grade += kind->second;
      line.unaccepted_verdict += kind->second;
    }
    one.grade += kind->second;
    report->files.push_back(std::move(one));
  }
  return failed;
}

/// Returns the verdict on tables of one kind: the worst of theirs; with a problem, the worst there
/// is.
size_t worst_grade(const ReportSet& set, const Report& report) {
  const Report& first = report.files.front();
  if (set.problems.empty())
    return std::ranges::max_element(report.files, {}, &Report::grade)->grade;
  if (first.kind != "diff") return report.grades.size() - 1;
  const auto changed = std::ranges::find(report.grades, "changed", &Grade::word);
  return static_cast<size_t>(changed - report.grades.begin());
}

}  // namespace

Report report_of(const ReportSet& set) {
  const bool is_project = set.kind == "project";
  Report report;
  report.kind = set.kind;
  report.left_name = report.right_name = visible(shown_name(set.name));
  report.fails = set.fails();
  const size_t failed = collect_files(set, &report);
  report.severity = report.fails           ? Severity::Error
                    : set.problems.empty() ? Severity::Good
                                           : Severity::Warning;
  const size_t problem = report.grades.size();
  report.grade = problem;
  if (!is_project && !report.files.empty()) {
    report.grade = worst_grade(set, report);
    for (const Report& file : report.files) {
      report.severity = std::max(report.severity, file.severity);
    }
  }
  report.grades.push_back({"problem",
                           is_project ? "out of date, or a pair that could not be asked"
                                      : "a file without a report, or not of the others' schema",
                           Severity::Error});
  for (Report& file : report.files) file.grades = report.grades;
  if (!is_project) report.tables = summaries_of(set, report.files);
  for (const Problem& found : set.problems) {
    ReportLine& line = report.lines.emplace_back();
    line.left = line.right =
        ReportSide{visible(shown_name(found.subject)), visible(shown_name(found.subject)), "", ""};
    line.grade = line.unaccepted_verdict = problem;
    line.place = found.line;
    line.severity = found.fails() ? Severity::Error : Severity::Warning;
    line.fails = found.fails();
    line.statements.push_back({std::string(found.kind), visible(shown_text(found.text)), "", ""});
  }
  report.summary = fmt::format("{}: {} passed, {} failed",
                               counted(set.reports.size(), is_project ? "pair" : "table"),
                               set.reports.size() - failed, failed);
  if (!set.problems.empty()) {
    report.summary += ", " + counted(set.problems.size(), "problem");
  }
  return report;
}

}  // namespace xwalk::crosswalk
