#include "xwalk/report/markdown.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/shortened.h"
#include "xwalk/base/text.h"

namespace xwalk::report {
namespace {

/// Escapes what Markdown and HTML would take for markup, in prose.
std::string prose(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_{}[]<>#|~&";
  std::string out;
  for (const char c : shortened(text)) {
    // A column's name must not mention a user.
    if (c == '@') {
      out += "&#64;";
      continue;
    }
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// Puts a text between as many backticks as it needs; `|` ends a cell even there.
std::string code_span(std::string_view whole) {
  if (whole.empty()) return "";
  const std::string text = shortened(whole);
  size_t longest = 0;
  size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string inner;
  for (const char c : text) {
    if (c == '|') inner += '\\';
    inner += c;
  }
  const bool padded = inner.front() == '`' || inner.back() == '`';
  return padded ? fmt::format("{0} {1} {0}", fence, inner) : fence + inner + fence;
}

std::string_view mark_of(Severity severity) {
  constexpr std::array<std::string_view, 4> kMarks = {"🟢", "🔵", "🟡", "🔴"};
  return kMarks[static_cast<size_t>(severity)];
}

std::string text_of(const Statement& statement) {
  const std::string sentence = statement.sentence(prose, code_span, prose);
  return code_span(statement.rule) + (sentence.empty() ? "" : " " + sentence);
}

/// Returns a table with a line for each table; "" if the report is not about several.
std::string table_of(const Report& set) {
  if (set.tables.empty()) return "";
  const auto number = [](const std::optional<uint64_t>& known) {
    return known ? grouped(*known) : std::string("—");
  };
  std::string out =
      "\n| input | rows | columns | verdict | needs a decision |\n"
      "| --- | ---: | ---: | --- | --- |\n";
  for (const TableSummary& table : set.tables) {
    out += fmt::format("| {} | {} | {} | {} {} | {} |\n", code_span(set.name_of(table)),
                       number(table.rows), number(table.columns), mark_of(table.severity),
                       table.verdict, prose(table.reason()));
  }
  return out;
}

}  // namespace

std::string print_markdown(const Report& report) {
  std::string parties;
  if (report.kind == "check") {
    parties = fmt::format(": {} → {}", report.left_system, report.right_system);
  } else if (!report.is_set()) {
    parties = fmt::format(": {} → {}: {}", report.left_system, prose(report.right_name),
                          report.right_system);
  }
  std::string out = fmt::format("### {} {}{}\n\n{}\n", mark_of(report.severity),
                                prose(report.title.empty() ? report.left_name : report.title),
                                parties, prose(report.summary));
  for (const std::string& note : report.notes) out += "\n" + prose(note) + "\n";
  out += table_of(report);
  // Those of a check are in its lines.
  for (const Decision& one : report.decisions) {
    if (report.kind != "verify" || one.state != DecisionState::Decided) continue;
    out += fmt::format("\n- {} {}: {}\n", code_span(one.path), code_span(one.rule),
                       prose(one.decided));
  }
  std::string rows;
  for (const ReportLine& line : report.lines) {
    if (report.has_problems_in_table()) break;
    if (line.statements.empty() && line.severity == Severity::Good) continue;
    std::vector<std::string> sentences;
    for (const Statement& statement : line.statements) sentences.push_back(text_of(statement));
    rows += fmt::format("| {} | {} | {} | {} {} | {} |\n",
                        line.path().empty() ? std::string(kTablePath) : code_span(line.path()),
                        line.left ? code_span(line.left->type) : "",
                        line.right ? code_span(line.right->type) : "", mark_of(line.severity),
                        report.grades[line.grade].word, join(sentences, "<br>"));
  }
  if (!rows.empty()) {
    out += fmt::format("\n| path | {} | {} | | why |\n| --- | --- | --- | --- | --- |\n",
                       report.left_system, report.right_system);
    out += rows;
  }
  for (const Report& file : report.files) out += "\n" + print_markdown(file);
  return out;
}

}  // namespace xwalk::report
