#include "xwalk/report/github.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/base/shortened.h"
#include "xwalk/report/html_names.h"

namespace xwalk::report {
namespace {

/// Escapes what ends a message, or a property of one.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (special) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string print_github(const Report& report) {
  std::string out;
  for (const TableSummary& table : report.tables) {
    if (!report.has_problems_in_table()) break;
    const std::string_view command = to_string(std::max(table.severity, Severity::Notice));
    out += fmt::format(
        "::{} file={},title={}::{}\n", command, escaped(table.input, true),
        escaped(fmt::format("{}: {}", table.input, table.verdict), true),
        escaped(table.reason().empty() ? "nothing needs a decision" : shortened(table.reason()),
                false));
  }
  // For several tables, these lines contain it already.
  if (report.has_problems_in_table()) {
    for (const Report& file : report.files) out += print_github(file);
    return out;
  }
  for (const ReportLine& line : report.lines) {
    if (line.severity == Severity::Good) continue;
    const std::string_view command = to_string(line.severity);
    // An annotation belongs to the file that changed.
    const std::string& file = report.right_name;
    const std::string path =
        line.path().empty() ? std::string(kTablePath) : shortened_path(line.path());
    for (const Statement& statement : line.statements) {
      std::string sentence = statement.sentence();
      if (sentence.empty()) sentence = title_of_rule(statement.rule);
      const std::string text = fmt::format("{}: {}", report.grades[line.grade].word, sentence);
      out += fmt::format("::{} file={}{},title={}::{}\n", command, escaped(file, true),
                         line.place > 0 ? fmt::format(",line={}", line.place) : "",
                         escaped(fmt::format("{}: {}", path, statement.rule), true),
                         escaped(shortened(text), false));
    }
  }
  for (const Decision& one : report.decisions) {
    if (!one.by_option) continue;
    const std::string evidence = one.evidence();
    out += fmt::format("::notice file={},title={}::{}{}\n", escaped(report.right_name, true),
                       escaped(fmt::format("{}: {}", one.path, kRowsRule), true),
                       escaped(evidence.empty() ? "" : evidence + ": ", false),
                       escaped(one.decided, false));
  }
  for (const Report& file : report.files) out += print_github(file);
  return out;
}

}  // namespace xwalk::report
