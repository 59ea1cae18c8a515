#include "xwalk/report/junit.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/report/markup.h"

namespace xwalk::report {
namespace {

std::string messages_of(const ReportLine& line) {
  std::string text;
  for (const Statement& statement : line.statements) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}: {}", statement.rule, statement.sentence());
  }
  return text;
}

struct Counts {
  size_t tests = 0;
  size_t failures = 0;

  std::string text() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", tests, failures);
  }
};

Counts counts_of(const Report& report) {
  return {report.lines.size(),
          static_cast<size_t>(std::ranges::count_if(report.lines, &ReportLine::fails))};
}

std::string suite_of(const Report& report) {
  std::string suite = fmt::format("xwalk {} {}", report.kind, report.left_name);
  if (report.is_set()) {
    suite = report.left_name;
  } else if (report.kind == "check") {
    suite += " --to " + report.right_system;
  } else {
    suite += " " + report.right_name;
  }
  std::string out =
      fmt::format("  <testsuite name=\"{}\" {}>\n", escape_markup(suite), counts_of(report).text());
  std::string open;
  for (const Decision& one : report.decisions) {
    if (one.is_open()) {
      open += fmt::format("      <property name=\"needs a decision\" value=\"{}\"/>\n",
                          escape_markup(fmt::format("{}: {}", one.path, one.rule)));
    } else if (one.state == DecisionState::Decided) {
      open +=
          fmt::format("      <property name=\"decided\" value=\"{}\"/>\n",
                      escape_markup(fmt::format("{}: {}: {}", one.path, one.rule, one.decided)));
    }
  }
  if (!open.empty()) out += "    <properties>\n" + open + "    </properties>\n";
  for (const ReportLine& line : report.lines) {
    const std::string path = line.path().empty() ? std::string(kTablePath) : line.path();
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                       escape_markup(report.left_name), escape_markup(path));
    if (line.statements.empty() && !line.fails) {
      out += "/>\n";
      continue;
    }
    const std::string text = escape_markup(messages_of(line));
    std::vector<std::string> sides;
    if (line.left && !line.left->type.empty()) sides.push_back(line.left->type);
    if (line.right && !line.right->type.empty()) sides.push_back(line.right->type);
    const std::string types = join(sides, " → ");
    const std::string& word = report.grades[line.grade].word;
    if (line.fails) {
      out += fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                         escape_markup(line.statements.empty() ? word : line.statements[0].rule),
                         escape_markup(fmt::format("{}: {}", word, types)), text);
    } else {
      out += fmt::format(">\n      <system-out>{}: {}\n{}</system-out>\n", escape_markup(word),
                         escape_markup(types), text);
    }
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n";
}

Counts counts_of_tables(const Report& set) {
  return {set.tables.size(), static_cast<size_t>(std::ranges::count(set.tables, Severity::Error,
                                                                    &TableSummary::severity))};
}

/// Returns the suite that sums up several tables: a case for each.
std::string suite_of_tables(const Report& set) {
  const std::string& name = set.title.empty() ? set.left_name : set.title;
  std::string out = fmt::format("  <testsuite name=\"{}\" {}>\n", escape_markup(name),
                                counts_of_tables(set).text());
  const auto number = [](const std::optional<uint64_t>& known, std::string_view word) {
    return known ? counted(*known, word) : fmt::format("{}s not known", word);
  };
  for (const TableSummary& table : set.tables) {
    const std::string text = escape_markup(
        fmt::format("{}, {}: {}{}", number(table.rows, "row"), number(table.columns, "column"),
                    table.verdict, table.reason().empty() ? "" : ": " + table.reason()));
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n",
                       escape_markup(set.left_name), escape_markup(set.name_of(table)));
    if (table.severity == Severity::Error) {
      out += fmt::format("      <failure type=\"{}\" message=\"{}\"/>\n",
                         escape_markup(table.verdict), text);
    } else {
      out += fmt::format("      <system-out>{}</system-out>\n", text);
    }
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n";
}

}  // namespace

std::string print_junit(const Report& report) {
  // For a project without failures, only its pairs are listed.
  const bool has_suite = !report.is_set() || !report.lines.empty();
  Counts all = counts_of(report);
  std::string suites = has_suite ? suite_of(report) : "";
  if (report.has_problems_in_table()) {
    all = counts_of_tables(report);
    suites = suite_of_tables(report);
  }
  for (const Report& file : report.files) {
    // The case of a table without columns of its own says it already.
    if (report.has_problems_in_table() && file.lines.size() == 1 && file.lines[0].path().empty()) {
      continue;
    }
    const Counts own = counts_of(file);
    all.tests += own.tests;
    all.failures += own.failures;
    suites += suite_of(file);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n{}</testsuites>\n", all.text(),
      suites);
}

}  // namespace xwalk::report
