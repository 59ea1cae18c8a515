#include "xwalk/report/text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/display.h"
#include "xwalk/base/shortened.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/module.h"

namespace xwalk::report {
namespace {

size_t text_width(std::string_view text) { return static_cast<size_t>(display_width(text)); }

/// Appends `text`, which is `columns` wide, padded to `width`; text that is wider is clipped, or
/// else appended in full.
void append_padded(std::string_view text, size_t columns, size_t width, bool clips,
                   std::string& out) {
  if (columns <= width || !clips) {
    out.append(text).append(width - std::min(width, columns), ' ');
    return;
  }
  const std::string clipped = clip(text, static_cast<int>(width));
  out.append(clipped).append(width - std::min(width, text_width(clipped)), ' ');
}

std::string padded(std::string_view text, size_t width, bool clips = true) {
  std::string out;
  append_padded(text, text_width(text), width, clips, out);
  return out;
}

std::string coloured(std::string_view text, std::string_view code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string rules_of(const PathReport& report) {
  std::string rules;
  for (auto reason = report.reasons.begin(); reason != report.reasons.end(); ++reason) {
    const bool known = std::any_of(report.reasons.begin(), reason, [&](const Reason& before) {
      return before.rule == reason->rule;
    });
    if (known) continue;
    if (!rules.empty()) rules += ", ";
    rules += reason->rule;
  }
  return rules;
}

/// Breaks a text at blanks into lines of a width.
void append_wrapped(std::string_view text, size_t indent, size_t width, std::string& out) {
  const size_t line_width = width > indent + 20 ? width - indent : 20;
  std::string line;
  size_t used = 0;
  auto flush = [&] {
    if (!line.empty()) out.append(indent, ' ').append(line).append(1, '\n');
    line.clear();
    used = 0;
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const size_t columns = text_width(word);
    if (!line.empty() && used + 1 + columns > line_width) flush();
    if (!line.empty()) {
      line += ' ';
      ++used;
    }
    line += word;
    used += columns;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  flush();
}

/// Widths of the three columns of a report on paths.
struct Widths {
  size_t path = 4;
  size_t source = 4;
  size_t target = 4;
};

constexpr size_t kVerdictWidth = 11;
/// Text is padded to no more than this if longer text is not clipped.
constexpr size_t kMostPadded = 60;
constexpr std::string_view kTable = kTablePath;

/// A text and the columns it takes.
struct Cell {
  explicit Cell(std::string shown) : text(std::move(shown)), columns(text_width(text)) {}

  std::string text;
  size_t columns;
};

/// What a line of a report shows.
struct Shown {
  const PathReport* report;
  Cell path;
  Cell source;
  Cell target;
};

/// Characters per line outside the three columns: spaces, arrow and verdict.
constexpr size_t kBesides = 2 + 2 + 3 + 2 + kVerdictWidth;

/// "  path  source → target  verdict": if that is wider than the line, the types are narrowed.
Widths widths_of(const std::vector<Shown>& shown, size_t width, bool clips) {
  Widths widths;
  for (const Shown& line : shown) {
    widths.path = std::max(widths.path, line.path.columns);
    widths.source = std::max(widths.source, line.source.columns);
    widths.target = std::max(widths.target, line.target.columns);
  }
  if (!clips) {
    for (size_t* one : {&widths.path, &widths.source, &widths.target}) {
      *one = std::min(*one, kMostPadded);
    }
    return widths;
  }
  const size_t line_width = width > kBesides + 30 ? width - kBesides : 30;
  widths.path = std::min(widths.path, line_width / 3);
  const size_t types = line_width - widths.path;
  if (widths.source + widths.target > types) {
    widths.source =
        std::min(widths.source, std::max(types / 2, types - std::min(types, widths.target)));
    widths.target = std::min(widths.target, types - widths.source);
  }
  return widths;
}

void append_line(const Shown& shown, const Widths& widths, size_t width, const ReportStyle& style,
                 std::string& out) {
  const hub::Verdict verdict = shown.report->verdict();
  const auto append = [&](const Cell& cell, size_t columns) {
    append_padded(cell.text, cell.columns, columns, style.clips, out);
  };
  out += "  ";
  append(shown.path, widths.path);
  out += "  ";
  append(shown.source, widths.source);
  out += shown.report->path.empty() ? "   " : " → ";
  append(shown.target, widths.target);
  out += "  ";
  out += painted(verdict, style.colour);
  // The rules go on a line of their own if they do not fit.
  const size_t used = kBesides + widths.path + widths.source + widths.target;
  const std::string rules = rules_of(*shown.report);
  if (!rules.empty() && used + 2 + text_width(rules) <= width) {
    out.append(kVerdictWidth - hub::to_string(verdict).size() + 2, ' ').append(rules);
    out += '\n';
    return;
  }
  out += '\n';
  if (!rules.empty()) append_wrapped(rules, widths.path + 4, width, out);
}

/// What reasons say, as lines of a report: of wide tables many columns have the same reasons.
class ReasonLines {
 public:
  ReasonLines(const Check& check, size_t indent, size_t width)
      : check_(check), indent_(indent), width_(width) {}

  void append(const PathReport& path, const Reason& reason, std::string& out) {
    if (!check_.accepted.empty()) {
      // What was accepted was accepted of one path.
      append_wrapped(sentence(path, reason), indent_, width_, out);
      return;
    }
    const auto [lines, fresh] = lines_.try_emplace({reason.lost, reason.witness, reason.hint});
    if (fresh) append_wrapped(sentence(path, reason), indent_, width_, lines->second);
    out += lines->second;
  }

 private:
  /// All that a sentence is made of.
  struct Parts {
    std::string_view lost;
    std::string_view witness;
    std::string_view hint;

    friend bool operator==(const Parts&, const Parts&) = default;
  };
  struct Hash {
    size_t operator()(const Parts& parts) const {
      const std::hash<std::string_view> hash;
      return 31 * (31 * hash(parts.lost) + hash(parts.witness)) + hash(parts.hint);
    }
  };

  std::string sentence(const PathReport& path, const Reason& reason) const {
    return statement_of(check_, path, reason).sentence();
  }

  const Check& check_;
  size_t indent_;
  size_t width_;
  std::unordered_map<Parts, std::string, Hash> lines_;
};

/// The mark and colour of a line of a difference.
std::pair<std::string_view, std::string_view> mark_of(const ReportLine& line) {
  if (!line.left) return {"+", "32"};
  if (!line.right) return {"-", "31"};
  return {"~", "33"};
}

/// Appends a line, or several lines of the same indent if a terminal is narrower.
void append_line_of(std::string_view text, size_t indent, const ReportStyle& style,
                    std::string& out) {
  if (style.clips) {
    append_wrapped(text, indent, static_cast<size_t>(std::max(style.width, 40)), out);
  } else {
    out.append(indent, ' ').append(text).append(1, '\n');
  }
}

/// Returns the first line of a comparison.
std::string parties_of(const Report& report, const ReportStyle& style) {
  const std::string text =
      fmt::format("{} ({}) and {} ({}): {}", report.left_name, report.left_system,
                  report.right_name, report.right_system, shortened(report.summary));
  std::string out;
  append_line_of(text, 0, style, out);
  return out;
}

/// The path of a line, or what it was and what it is.
std::string path_of(const ReportLine& line) {
  if (line.path().empty()) return std::string(kTable);
  const bool renamed = line.left && line.right && line.left->path != line.right->path;
  return renamed ? fmt::format("{} → {}", line.left->path, line.right->path) : line.path();
}

}  // namespace

std::string painted(hub::Verdict verdict, bool colour) {
  constexpr std::array<std::string_view, 7> kCodes = {"32", "34", "35", "35", "33", "31", "1;31"};
  return coloured(hub::to_string(verdict), kCodes[static_cast<size_t>(verdict)], colour);
}

std::string print_text(const Check& check, const ReportStyle& style) {
  if (style.failures_only && !check.fails()) return "";
  const Plan& plan = *check.plan;
  const auto width = static_cast<size_t>(std::max(style.width, 40));
  const std::string line = summary(plan);
  std::string out =
      fmt::format("{}: {} → {}      {}\n", visible(shown_name(check.name)),
                  plan.source_system->name, check.target(), line.substr(0, line.find(" (")));
  std::map<std::string, std::vector<Fact>, std::less<>> facts;
  for (Fact& fact : facts_of(check)) facts[fact.path.text()].push_back(std::move(fact));
  std::vector<Shown> shown;
  std::unordered_set<std::string> failing;
  if (style.failures_only) {
    for (const Decision& one : decisions_of(check)) {
      if (one.state == DecisionState::Fails) failing.insert(one.path);
    }
  }
  for (const PathReport& report : plan.paths) {
    if (style.failures_only &&
        !failing.contains(report.path.empty() ? std::string(kTable)
                                              : visible(report.path.text()))) {
      facts.erase(report.path.text());
      continue;
    }
    const bool worth = report.verdict() != hub::Verdict::Exact || !report.reasons.empty() ||
                       (!facts.empty() && facts.contains(report.path.text()));
    if (!worth && (!style.all || report.path.empty())) continue;
    shown.push_back({&report,
                     Cell(report.path.empty() ? std::string(kTable)
                                              : visible(shortened_path(report.path.text()))),
                     Cell(visible(shortened(crosswalk::shown_type(report.source)))),
                     Cell(visible(shortened(crosswalk::shown_type(report.target))))});
  }
  const Widths widths = widths_of(shown, width, style.clips);
  ReasonLines reasons(check, widths.path + 4, width);
  for (const Shown& path : shown) {
    append_line(path, widths, width, style, out);
    const size_t indent = widths.path + 4;
    for (const Reason& reason : path.report->reasons) {
      reasons.append(*path.report, reason, out);
    }
    if (facts.empty()) continue;
    const auto of_path = facts.find(path.report->path.text());
    if (of_path == facts.end()) continue;
    for (const Fact& fact : of_path->second) {
      append_wrapped(visible(shortened(fact.statement.text)), indent, width, out);
    }
    facts.erase(of_path);
  }
  // Facts about places within a path without a finding.
  for (const auto& [path, left] : facts) {
    for (const Fact& fact : left) {
      out +=
          fmt::format("  {}\n", path.empty() ? std::string(kTable) : visible(shortened_path(path)));
      append_wrapped(visible(shortened(fact.statement.text)), 6, width, out);
    }
  }
  for (const std::string& note : notes_of(check)) out += note + "\n";
  for (const FileCheck& file : check.files) {
    if (!style.all && file.changes.empty()) continue;
    const std::string text = print_text(check_of(check, file), style);
    if (!text.empty()) out += "\n" + text;
  }
  return out;
}

std::string print_text(const DiffCheck& check, const ReportStyle& style) {
  if (style.failures_only && !check.fails()) return "";
  const auto width = static_cast<size_t>(std::max(style.width, 40));
  const Report report = report_of(check);
  std::string out = parties_of(report, style);
  size_t path_width = 4;
  size_t word_width = 0;
  for (const ReportLine& line : report.lines) {
    if (line.statements.empty()) continue;
    path_width = std::max(path_width, text_width(shortened_path(path_of(line))));
    for (const Statement& statement : line.statements) {
      word_width = std::max(word_width, statement.rule.size());
    }
  }
  path_width = std::min(path_width, width * 2 / 5);
  const size_t indent = 4 + path_width + 2 + word_width + 2;
  const bool table_is_silent = report.lines.empty() || !report.lines.front().path().empty();
  if (style.all && table_is_silent) out += fmt::format("    {}\n", kTable);
  for (const ReportLine& line : report.lines) {
    if (line.statements.empty() && !style.all) continue;
    const auto [mark, code] = mark_of(line);
    const std::string path = shortened_path(path_of(line));
    if (line.statements.empty()) {
      out += "    " + path + "\n";
      continue;
    }
    std::string begin = "  " + coloured(mark, code, style.colour) + " " + padded(path, path_width);
    if (text_width(path) > path_width) {
      begin = "  " + coloured(mark, code, style.colour) + " " + path + "\n" +
              std::string(4 + path_width, ' ');
    }
    for (const Statement& statement : line.statements) {
      begin += "  " + coloured(statement.rule, code, style.colour) +
               std::string(word_width - statement.rule.size(), ' ');
      std::string text;
      append_wrapped(shortened(statement.sentence()), indent, width, text);
      out += begin + "  " + (text.empty() ? "\n" : text.substr(indent));
      begin = std::string(4 + path_width, ' ');
    }
  }
  return out;
}

std::string print_text(const RowDiff& diff, const ReportStyle& style) {
  if (style.failures_only && diff.same()) return "";
  const auto width = static_cast<size_t>(std::max(style.width, 40));
  const Report report = report_of(diff);
  std::string out = parties_of(report, style);
  for (const std::string& note : report.notes) append_wrapped(note, 0, width, out);
  // The place, the path, and the value on each side.
  using Cells = std::array<std::string, 5>;
  std::vector<Cells> rows = {{"row", visible(shortened(join(diff.key, ", "))), "path",
                              report.left_name, report.right_name}};
  for (const crosswalk::ColumnDifference& column : diff.columns) {
    rows.push_back({"", "", visible(shortened_path(column.path)), visible(shortened(column.left)),
                    visible(shortened(column.right))});
  }
  for (const crosswalk::RowDifference& found : diff.first) {
    rows.push_back({place_of(found), visible(shortened(found.key)),
                    visible(shortened_path(found.path)), visible(shortened(found.left)),
                    visible(shortened(found.right))});
  }
  if (rows.size() == 1) return out;
  std::array<size_t, 5> widths{};
  for (const Cells& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], text_width(cells[i]));
  }
  widths[1] = std::min(widths[1], width / 4);
  widths[2] = std::min(widths[2], width / 4);
  const size_t used = 12 + widths[0] + widths[1] + widths[2];
  const size_t values = width > used + 20 ? width - used : 20;
  if (!style.clips) {
    for (size_t& one : widths) one = std::min(one, kMostPadded);
  } else if (widths[3] + widths[4] > values) {
    widths[3] = std::min(widths[3], std::max(values / 2, values - std::min(values, widths[4])));
    widths[4] = std::min(widths[4], values - widths[3]);
  }
  for (size_t row = 0; row < rows.size(); ++row) {
    std::string line = "    ";
    if (row > 0) {
      // The first line of the report is on the whole.
      const auto [mark, code] = mark_of(report.lines[row]);
      line = "  " + coloured(mark, code, style.colour) + " ";
    }
    for (size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      line += padded(rows[row][i], widths[i], style.clips) + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  const uint64_t all = diff.added + diff.removed + diff.changed;
  if (!diff.first.empty() && diff.first.size() < all) {
    out += fmt::format("  … the first {} of {}\n", counted(diff.first.size(), "difference"),
                       counted(all, "row"));
  }
  return out;
}

std::string print_text(const CompatCheck& check, const ReportStyle& style) {
  if (style.failures_only && !check.fails()) return "";
  auto code = [](yt::Compatibility answer) -> std::string_view {
    if (answer == yt::Compatibility::FullyCompatible) return "32";
    return answer == yt::Compatibility::RequireValidation ? "33" : "31";
  };
  const yt::Compatibility answer = check.compat->answer;
  std::string out = coloured(answer_text(answer), code(answer), style.colour) + "\n";
  for (const CompatReason& reason : check.compat->reasons) {
    const bool fails = reason.answer != yt::Compatibility::FullyCompatible &&
                       accepted(check.accepted, reason.path, reason.direction) == nullptr;
    if (style.failures_only && !fails) continue;
    const std::string direction =
        check.mode == CompatMode::Full ? fmt::format("{}: ", reason.direction) : "";
    append_line_of(fmt::format("{}{}{}{}", direction, visible(shortened_path(reason.path)),
                               reason.path.empty() ? "" : ": ", shortened(text_of(check, reason))),
                   2, style, out);
  }
  return out;
}

namespace {

/// Prints a line for each of some tables: its name, how many rows and columns, the worst verdict,
/// and what needs a decision.
std::string table_of(const Report& set, const std::vector<const TableSummary*>& tables,
                     const ReportStyle& style) {
  constexpr std::array<std::string_view, 4> kCodes = {"32", "34", "33", "31"};
  using Cells = std::array<std::string, 5>;
  const bool is_project = !set.has_problems_in_table();
  std::vector<Cells> lines = {
      {is_project ? "pair" : "input", "rows", "columns", "verdict", "needs a decision"}};
  const auto number = [](const std::optional<uint64_t>& known) {
    return known ? grouped(*known) : std::string("—");
  };
  for (const TableSummary* table : tables) {
    lines.push_back({set.name_of(*table), number(table->rows), number(table->columns),
                     table->verdict, is_project ? table->decision : table->reason()});
  }
  std::array<size_t, 5> widths{};
  for (const Cells& cells : lines) {
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], text_width(cells[i]));
  }
  const auto width = static_cast<size_t>(std::max(style.width, 40));
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Cells& cells = lines[i];
    const TableSummary* const table = i == 0 ? nullptr : tables[i - 1];
    const bool fails = table != nullptr && table->state == DecisionState::Fails;
    std::string line = fails ? coloured("✗", "31", style.colour) + " " : "  ";
    line += padded(cells[0], widths[0]);
    for (const size_t at : {size_t{1}, size_t{2}}) {
      line += std::string(2 + widths[at] - text_width(cells[at]), ' ') + cells[at];
    }
    const size_t indent = 2 + widths[0] + 2 + widths[1] + 2 + widths[2] + 2 + widths[3] + 2;
    const std::string_view code =
        kCodes[static_cast<size_t>(table == nullptr ? Severity::Good : table->severity)];
    line += "  " + coloured(cells[3], code, style.colour && table != nullptr) +
            std::string(widths[3] - text_width(cells[3]), ' ');
    std::string decision;
    append_wrapped(cells[4], indent, width, decision);
    out += decision.empty() ? line.substr(0, line.find_last_not_of(' ') + 1) + "\n"
                            : line + "  " + decision.substr(indent);
  }
  return out;
}

/// Names what a problem is about: `orders.yson → parquet`.
std::string subject_of(const Problem& problem) {
  return visible(shown_name(problem.subject)) +
         (problem.is_about_table() && !problem.becomes.empty()
              ? " → " + visible(shown_name(problem.becomes))
              : "");
}

/// Says what options decide about rejected rows, a line for each table.
std::string options_lines(const Report& set) {
  std::string out;
  for (size_t i = 0; i < set.files.size(); ++i) {
    const Report& file = set.files[i];
    const auto one = std::ranges::find_if(file.decisions, [](const Decision& decision) {
      return decision.by_option && decision.rejected.value_or(0) > 0;
    });
    if (one == file.decisions.end()) continue;
    out += fmt::format("  {}: {} of {} rejected: {}\n", set.name_of(set.tables[i]),
                       grouped(file.rows_rejected), counted(file.rows_read.value_or(0), "row"),
                       one->decided);
  }
  return out;
}

/// Returns how many findings are accepted in reports that pass, which are not printed in full.
size_t accepted_in(const Report& set) {
  size_t out = 0;
  for (const Report& file : set.files) {
    if (file.fails) continue;
    out += static_cast<size_t>(std::ranges::count_if(file.decisions, [](const Decision& one) {
      return one.state == DecisionState::Decided && !one.by_option;
    }));
  }
  return out;
}

/// Names the tables that need nothing: `13 tables are ready: a, b, c and 10 more`.
std::string ready_line(const Report& set, const std::vector<const TableSummary*>& ready) {
  constexpr size_t kNames = 3;
  if (ready.empty()) return "";
  std::vector<std::string> names;
  for (const TableSummary* table : ready) {
    if (names.size() < kNames) names.push_back(set.name_of(*table));
  }
  std::string out = fmt::format(
      "  {} {} ready: {}", counted(ready.size(), set.has_problems_in_table() ? "table" : "pair"),
      ready.size() == 1 ? "is" : "are", join(names, ", "));
  if (ready.size() > kNames) out += fmt::format(" and {} more", grouped(ready.size() - kNames));
  return out + "\n";
}

}  // namespace

std::string print_text(const ReportSet& set, const ReportStyle& style) {
  const Report report = report_of(set);
  if (style.failures_only && !report.fails) return "";
  const bool is_project = set.kind == "project";
  std::string out = fmt::format("{}: {}\n", report.left_name, report.summary);
  std::vector<const TableSummary*> listed;
  std::vector<const TableSummary*> ready;
  for (const TableSummary& table : report.tables) {
    if (table.state == DecisionState::Settled) {
      ready.push_back(&table);
    } else if (table.state == DecisionState::Fails || !style.failures_only) {
      listed.push_back(&table);
    }
  }
  std::ranges::stable_sort(listed, std::ranges::greater(), &TableSummary::state);
  if (!listed.empty()) out += table_of(report, listed, style);
  if (!style.failures_only) out += ready_line(report, ready) + options_lines(report);
  const bool is_brief = !style.failures_only && !style.all && !style.in_full;
  if (const size_t decided = accepted_in(report); is_brief && decided > 0) {
    out += fmt::format("  {} accepted (--verbose prints them)\n", counted(decided, "finding"));
  }
  // Of tables, the table contains it already.
  for (const Problem& problem : set.problems) {
    if (!is_project) break;
    if (style.failures_only && !problem.fails()) continue;
    out += fmt::format("{}:{}: {}: {}: {}\n", report.left_name, problem.line,
                       coloured(problem.kind, problem.fails() ? "31" : "33", style.colour),
                       subject_of(problem), visible(shown_text(problem.whole())));
  }
  for (const bool failing : {true, false}) {
    if (!failing && !style.all && !style.in_full) break;
    for (size_t i = 0; i < set.reports.size(); ++i) {
      if (report.files[i].fails != failing) continue;
      out += failing ? "\n" + coloured("✗", "31", style.colour) + " " : "\n";
      if (const auto* compat = std::get_if<CompatCheck>(&set.reports[i])) {
        out += fmt::format("{} → {}: ", visible(shown_name(compat->old_name)),
                           visible(shown_name(compat->new_name)));
      }
      out +=
          std::visit([&](const auto& found) { return print_text(found, style); }, set.reports[i]);
    }
  }
  return out;
}

}  // namespace xwalk::report
