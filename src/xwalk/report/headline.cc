#include "xwalk/report/headline.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"

namespace xwalk::report {
namespace {

using hub::Verdict;

/// Names that one sentence lists.
constexpr size_t kNames = 4;

constexpr size_t index(Verdict verdict) { return static_cast<size_t>(verdict); }

/// Lists names: `a, b, c, d and 3 more`.
std::string listed(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kNames);
  const auto end = names.begin() + static_cast<ptrdiff_t>(shown);
  std::string text = join(std::vector<std::string>(names.begin(), end), ", ");
  if (names.size() > shown) text += fmt::format(" and {} more", grouped(names.size() - shown));
  return text;
}

/// The columns of a report by their worst verdict, without what was accepted.
struct Columns {
  std::array<std::vector<std::string>, index(Verdict::Unsupported) + 1> by_verdict;
  /// Those with an accepted finding that is worse than the others.
  std::vector<std::string> accepted;
  size_t total = 0;
  /// The verdict on the table, and the rules of its findings.
  size_t table = 0;
  std::vector<std::string> table_rules;
};

Columns columns_of(const std::vector<ReportLine>& lines) {
  Columns out;
  for (size_t i = 0; i < lines.size();) {
    const ReportLine& first = lines[i];
    size_t worst = 0;
    size_t open_grade = 0;
    do {
      if (lines[i].left) {
        worst = std::max(worst, lines[i].grade);
        open_grade = std::max(open_grade, lines[i].unaccepted_verdict);
      }
      ++i;
    } while (i < lines.size() && lines[i].depth > 0);
    if (first.path().empty()) {
      out.table = open_grade;
      for (const Statement& statement : first.statements) {
        if (std::ranges::find(out.table_rules, statement.rule) == out.table_rules.end()) {
          out.table_rules.push_back(statement.rule);
        }
      }
      continue;
    }
    // The source does not have it.
    if (!first.left) continue;
    ++out.total;
    out.by_verdict[open_grade].push_back(first.left->label);
    if (worst > open_grade) out.accepted.push_back(first.left->label);
  }
  return out;
}

/// Says which rows were rejected, of those that were read.
std::string sentence_on(const Rows& rows) {
  if (rows.read == 0) return "There are no rows.";
  if (rows.rejected == 0) {
    return rows.read == 1 ? "The only row was read and fits."
                          : fmt::format("All {} rows were read and fit.", grouped(rows.read));
  }
  std::vector<std::string> names;
  for (const PathRows& path : rows.paths) {
    if (path.rejected > 0 && !path.path.empty()) names.push_back(visible(path.path.text()));
  }
  return fmt::format("{} of {} would be rejected{}{}.", grouped(rows.rejected),
                     counted(rows.read, "row"), names.empty() ? "" : ": ", listed(names));
}

/// Says for how many columns a verdict holds, and which: `2 of 9 columns lose …: a, b.`
std::string sentence_on(const std::vector<std::string>& names, size_t total, std::string_view one,
                        std::string_view several) {
  return fmt::format("{} of {} {}: {}.", grouped(names.size()), counted(total, "column"),
                     names.size() == 1 ? one : several, listed(names));
}

/// Says what holds for the columns without a finding.
std::string sentence_on_rest(const Columns& columns) {
  const size_t exact = columns.by_verdict[index(Verdict::Exact)].size();
  const size_t annotated = columns.by_verdict[index(Verdict::Annotated)].size();
  const size_t rest = exact + annotated;
  if (rest == 0) return "";
  const bool is_all = rest == columns.total;
  if (!is_all) {
    const std::string subject = rest == 1 ? std::string("The other column")
                                          : fmt::format("The other {} columns", grouped(rest));
    return fmt::format("{} {}.", subject,
                       annotated == 0 ? (rest == 1 ? "is exact" : "are exact")
                       : exact == 0   ? (rest == 1 ? "is annotated" : "are annotated")
                                      : "are exact or annotated");
  }
  const std::string subject =
      rest == 1 ? "The only column is" : fmt::format("All {} columns are", grouped(rest));
  if (annotated == 0) return subject + " exact: values, types and labels are kept.";
  return fmt::format("{} kept; xwalk's metadata restores the type of {}.", subject,
                     annotated == rest ? (rest == 1 ? "it" : "all") : grouped(annotated));
}

std::string sentence_on_readers(const Misreadings& readers) {
  std::vector<std::string> names;
  for (const crosswalk::ReaderRemark& remark : readers.remarks) {
    const std::string name = visible(remark.path.text());
    if (!remark.is_absent() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names.empty() ? "" : fmt::format("Some programs misread {}.", listed(names));
}

}  // namespace

std::string headline_of(const Check& check, const Report& report) {
  const Columns columns = columns_of(report.lines);
  std::vector<std::string> sentences;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) sentences.push_back(sentence);
  };
  const auto add_for = [&](Verdict verdict, std::string_view one, std::string_view several) {
    const std::vector<std::string>& names = columns.by_verdict[index(verdict)];
    if (!names.empty()) add(sentence_on(names, columns.total, one, several));
  };
  add_for(Verdict::Unsupported, "cannot be converted", "cannot be converted");
  add_for(Verdict::Lossy, "changes or loses data", "change or lose data");
  const std::vector<std::string>& checked = columns.by_verdict[index(Verdict::Checked)];
  if (check.rows) {
    add(sentence_on(*check.rows));
  } else if (!checked.empty()) {
    add(fmt::format(
        "In {} of {}, rows whose value does not fit are {}: {}.", grouped(checked.size()),
        counted(columns.total, "column"),
        check.rejects.empty() ? "rejected" : "written to " + visible(shown_name(check.rejects)),
        listed(checked)));
  }
  add_for(Verdict::Widened, "loses its type or a label", "lose their type or a label");
  add_for(Verdict::Inferred, "has an inferred type", "have inferred types");
  if (columns.table >= index(Verdict::Widened)) {
    add(fmt::format("The table itself is {}: {}.",
                    hub::to_string(static_cast<Verdict>(columns.table)),
                    listed(columns.table_rules)));
  }
  if (check.readers) add(sentence_on_readers(*check.readers));
  if (!columns.accepted.empty()) add(fmt::format("Accepted: {}.", listed(columns.accepted)));
  // A rejected row takes the values of all its columns with it.
  const bool rejects = check.rows && check.rows->rejected > 0;
  if (columns.total == 0) {
    add("There are no columns.");
  } else if (!rejects && columns.accepted.empty()) {
    add(sentence_on_rest(columns));
  }
  return join(sentences, " ");
}

}  // namespace xwalk::report
