#include "xwalk/report/report_set.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"

namespace xwalk::report {
namespace {

bool fails(const RowDiff& diff) { return !diff.same(); }
template <typename Found>
bool fails(const Found& found) {
  return found.fails();
}

}  // namespace

bool ReportSet::fails() const {
  return std::ranges::any_of(problems, &Problem::fails) ||
         std::ranges::any_of(reports, [](const auto& report) {
           return std::visit([](const auto& one) { return report::fails(one); }, report);
         });
}

namespace {

/// Sums up the reports of a set, whose own are `files`, and its problems.
std::vector<TableSummary> summaries_of(const ReportSet& set, const std::vector<Report>& files) {
  std::vector<TableSummary> out;
  for (size_t i = 0; i < files.size(); ++i) {
    const Report& file = files[i];
    TableSummary& line = out.emplace_back();
    line.input = file.left_name;
    line.target = file.kind == "check" ? file.right_system : file.right_name;
    line.output = file.output;
    line.rows = file.rows_read;
    line.bytes = file.bytes_read;
    line.columns = file.columns;
    if (line.rows && file.kind == "check") line.rejected = file.rows_rejected;
    if (!line.rows && i < set.recorded_rows.size()) line.rows = set.recorded_rows[i];
    line.verdict = file.grades[file.grade].word;
    line.severity = file.severity;
    line.columns_by_grade = file.columns_by_grade;
    line.state = file.state();
    line.decision = file.rows && file.fails ? file.summary : open_text(file.decisions);
  }
  for (const Problem& problem : set.problems) {
    if (!problem.is_about_table()) continue;
    const std::string subject = visible(shown_name(problem.subject));
    const std::string text = visible(shown_text(problem.text));
    std::string advice = visible(shown_text(problem.advice()));
    if (problem.line > 0) advice += fmt::format(" ({}:{})", shown_name(set.name), problem.line);
    const auto first = out.begin() + static_cast<ptrdiff_t>(problem.reports.first);
    const auto last =
        out.begin() + static_cast<ptrdiff_t>(std::min(problem.reports.second, out.size()));
    const auto line = std::find_if(
        first, last, [&](const TableSummary& table) { return table.input == subject; });
    if (line == last) {
      out.push_back({.input = subject,
                     .target = visible(shown_name(problem.becomes)),
                     .rows = {},
                     .columns = {},
                     .verdict = std::string(problem.kind),
                     .severity = Severity::Error,
                     .state = DecisionState::Fails,
                     .problem = text,
                     .advice = advice});
      continue;
    }
    line->severity = Severity::Error;
    line->state = DecisionState::Fails;
    line->problem += line->advice + (line->problem.empty() ? "" : "; ") + text;
    line->advice = std::move(advice);
  }
  return out;
}

/// Counts the grades of a report and of its parts after `before` others.
void move_grades(size_t before, Report* report) {
  for (ReportLine& line : report->lines) {
    line.grade += before;
    line.unaccepted_verdict += before;
  }
  report->grade += before;
  if (!report->columns_by_grade.empty()) {
    report->columns_by_grade.insert(report->columns_by_grade.begin(), before, 0);
  }
  for (Report& part : report->files) move_grades(before, &part);
}

void set_grades(const std::vector<Grade>& grades, std::vector<Report>* reports) {
  for (Report& one : *reports) {
    one.grades = grades;
    set_grades(grades, &one.files);
  }
}

/// Collects the reports of a set in `report`. Each kind of report has grades of its own; here they
/// follow each other.
void collect_files(const ReportSet& set, Report* report) {
  std::vector<std::pair<std::string, size_t>> first;
  for (const auto& found : set.reports) {
    Report one = std::visit([](const auto& check) { return report_of(check); }, found);
    auto kind = std::ranges::find(first, one.kind, &std::pair<std::string, size_t>::first);
    if (kind == first.end()) {
      kind = first.emplace(first.end(), one.kind, report->grades.size());
      std::ranges::copy(one.grades, std::back_inserter(report->grades));
    }
    move_grades(kind->second, &one);
    report->files.push_back(std::move(one));
  }
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
  report.title = visible(set.title);
  report.owner = visible(set.owner);
  report.left_name = report.right_name = visible(shown_name(set.name));
  report.fails = set.fails();
  collect_files(set, &report);
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
  set_grades(report.grades, &report.files);
  report.tables = summaries_of(set, report.files);
  for (size_t i = 0; i < report.files.size(); ++i) {
    // A problem is not of the report itself.
    if (report.tables[i].state != DecisionState::Fails || report.files[i].fails) continue;
    report.files[i].severity = Severity::Error;
    report.files[i].notes.push_back(report.tables[i].reason());
  }
  for (const Problem& found : set.problems) {
    ReportLine& line = report.lines.emplace_back();
    line.left = line.right =
        ReportSide{visible(shown_name(found.subject)), visible(shown_name(found.subject)), "", ""};
    line.grade = line.unaccepted_verdict = problem;
    line.place = found.line;
    line.severity = found.fails() ? Severity::Error : Severity::Warning;
    line.fails = found.fails();
    line.statements.push_back(
        {std::string(found.kind), visible(shown_text(found.whole())), "", ""});
  }
  const auto count = [&](DecisionState state) {
    return static_cast<size_t>(std::ranges::count(report.tables, state, &TableSummary::state));
  };
  const size_t failed = count(DecisionState::Fails);
  report.summary = fmt::format("{}: {} passed, {} failed",
                               counted(report.tables.size(), is_project ? "pair" : "table"),
                               grouped(report.tables.size() - failed), grouped(failed));
  if (const size_t open = count(DecisionState::Open); open > 0) {
    report.summary += fmt::format(", {} with a decision to make", grouped(open));
  }
  // The tables contain the others.
  const auto entries =
      std::ranges::count_if(set.problems, [](const Problem& one) { return !one.is_about_table(); });
  if (entries > 0) {
    report.summary += ", " + counted(static_cast<uint64_t>(entries), "problem");
  }
  return report;
}

}  // namespace xwalk::report
