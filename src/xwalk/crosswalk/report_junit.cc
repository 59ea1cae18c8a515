#include "xwalk/crosswalk/report_junit.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/markup.h"

namespace xwalk::crosswalk {
namespace {

std::string messages_of(const ReportLine& line) {
  std::string text;
  for (const Statement& statement : line.statements) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}: {}", statement.rule, statement.sentence());
  }
  return text;
}

}  // namespace

std::string print_junit(const Report& report) {
  const auto failures = std::ranges::count_if(report.lines, &ReportLine::fails);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\"", report.lines.size(), failures);
  const std::string suite =
      report.kind == "check"
          ? fmt::format("xwalk check {} --to {}", report.left_name, report.right_system)
          : fmt::format("xwalk {} {} {}", report.kind, report.left_name, report.right_name);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites {}>\n  <testsuite name=\"{}\" {}>\n", counts,
                     escape_markup(suite), counts);
  for (const ReportLine& line : report.lines) {
    const std::string path = line.path().empty() ? "(table)" : line.path();
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                       escape_markup(report.left_name), escape_markup(path));
    if (line.statements.empty() && !line.fails) {
      out += "/>\n";
      continue;
    }
    const std::string text = escape_markup(messages_of(line));
    std::vector<std::string> sides;
    if (line.left) sides.push_back(line.left->type);
    if (line.right) sides.push_back(line.right->type);
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
  out += "  </testsuite>\n</testsuites>\n";
  return out;
}

}  // namespace xwalk::crosswalk
