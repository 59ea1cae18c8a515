#include "xwalk/crosswalk/report_html.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/markup.h"
#include "xwalk/crosswalk/report_html_style.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {
namespace {

/// Columns from which a browser lays out only those that it shows.
constexpr size_t kManyColumns = 500;

/// The colour of each grade.
std::string_view colour_of(const Report& report, size_t grade) {
  struct Colour {
    std::string_view word;
    std::string_view name;
  };
  constexpr std::array<Colour, 15> kColours = {{{"exact", "green"},
                                                {"annotated", "blue"},
                                                {"widened", "violet"},
                                                {"inferred", "violet"},
                                                {"checked", "amber"},
                                                {"lossy", "red"},
                                                {"unsupported", "crimson"},
                                                {"same", "grey"},
                                                {"added", "green"},
                                                {"changed", "amber"},
                                                {"removed", "red"},
                                                {"compatible", "green"},
                                                {"needs validation", "amber"},
                                                {"incompatible", "red"},
                                                {"problem", "red"}}};
  const std::string& word = report.grades[grade].word;
  return std::ranges::find(kColours, word, &Colour::word)->name;
}

/// The two sides that a report lays side by side, as a title.
std::string title_of(const Report& report) {
  if (report.is_set()) return report.left_name;
  if (report.kind == "check") {
    return fmt::format("{} → {}", report.left_name, report.right_system);
  }
  return fmt::format("{} ↔ {}", report.left_name, report.right_name);
}

std::string code(std::string_view text) {
  return fmt::format("<code>{}</code>", escape_markup(text));
}

std::string help(std::string_view text) {
  return fmt::format("<span class=\"hint\">{}</span>", escape_markup(text));
}

bool is_rule(std::string_view word) {
  return std::ranges::binary_search(hub::rules(), word, {}, &hub::Rule::slug);
}

/// A column and what is nested in it, or what is said of the table: a run of lines.
struct Group {
  size_t begin = 0;
  size_t end = 0;
  size_t worst = 0;
  /// The worst without what was accepted.
  size_t standing = 0;
  bool is_table = false;
};

class Page {
 public:
  explicit Page(const Report& report)
      : report_(report), columns_(report.grades.size()), paths_(report.grades.size()) {
    find_groups();
    // The words at the top choose among the lines of all files.
    for (const Report& file : report.files) {
      files_.emplace_back(file);
      for (size_t grade = 0; grade < paths_.size(); ++grade) {
        columns_[grade] += files_.back().columns_[grade];
        paths_[grade] += files_.back().paths_[grade];
      }
    }
  }

  std::string print() {
    head();
    out_ +=
        "<input class=\"pick\" type=\"radio\" name=\"order\" id=\"worst\" checked>\n"
        "<input class=\"pick\" type=\"radio\" name=\"order\" id=\"schema\">\n";
    for (size_t grade = paths_.size(); grade-- > 0;) {
      if (paths_[grade] == 0) continue;
      add("<input class=\"pick\" type=\"checkbox\" id=\"g{0}\" checked aria-label=\"Show {1}\">\n",
          grade, report_.grades[grade].word);
    }
    header();
    sheet();
    footer();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), form, std::forward<Args>(args)...);
  }
  /// Adds parts one behind the other: what lines are made of, of which there are many.
  template <typename... Parts>
  void put(const Parts&... parts) {
    (out_.append(std::string_view(parts)), ...);
  }
  void put_escaped(std::string_view text) { append_markup(text, &out_); }

  bool is_check() const { return report_.kind == "check"; }
  bool is_set() const { return report_.is_set(); }
  bool is_about_rows() const { return !report_.headline.empty(); }

  /// A node that only the target has is the way its parent is stored: nothing is judged by it. What
  /// came or went with its parent is judged there, where two schemas are asked to be compatible.
  bool is_judged(const ReportLine& line) const {
    if (is_check()) return line.left.has_value();
    const bool alone = line.depth > 0 && !(line.left && line.right);
    return report_.kind != "compat" || !alone || !line.statements.empty();
  }

  /// What came or went has its type beside the word for it: no need to say both again.
  bool says_again(const ReportLine& line) const {
    if (report_.kind != "diff" || (line.left && line.right) || line.statements.size() != 1) {
      return false;
    }
    const Statement& only = line.statements.front();
    return only.rule == report_.grades[line.grade].word &&
           only.text == (line.left ? line.left : line.right)->type;
  }

  bool is_table(size_t line) const { return report_.lines[line].path().empty(); }

  /// Finds columns and counts what they are judged by, apart from the paths within.
  void find_groups() {
    const auto& lines = report_.lines;
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool begins = i == 0 || is_table(i - 1) || lines[i].depth == 0;
      if (begins) groups_.push_back({.begin = i, .is_table = is_table(i)});
      Group& group = groups_.back();
      group.end = i + 1;
      // The whole of a report on rows is no difference of its own.
      if (!is_judged(lines[i]) || (is_about_rows() && is_table(i))) continue;
      group.worst = std::max(group.worst, lines[i].grade);
      group.standing = std::max(group.standing, lines[i].standing);
      ++paths_[lines[i].grade];
    }
    for (const Group& group : groups_) {
      if (!group.is_table) ++columns_[group.worst];
    }
  }

  /// The grade from which somebody has to decide something.
  size_t first_decision() const {
    // In a project the grades of its kinds of reports stand one behind the other.
    const auto first = std::ranges::find(report_.grades,
                                         is_check()                 ? "exact"
                                         : report_.kind == "compat" ? "compatible"
                                                                    : "same",
                                         &Grade::word);
    if (first == report_.grades.end()) return 1;
    const auto base = static_cast<size_t>(first - report_.grades.begin());
    if (!is_check()) return base + 1;
    const auto error = std::find_if(first, report_.grades.end(), [](const Grade& grade) {
      return grade.severity == Severity::Error;
    });
    return std::min(static_cast<size_t>(error - report_.grades.begin()),
                    base + static_cast<size_t>(hub::Verdict::Checked));
  }

  /// Names the columns from a grade on, the worst first: `a, b (lossy), c (checked) and 3 more`.
  std::string named_columns(size_t least) const {
    constexpr size_t kMost = 4;
    std::vector<std::string> parts;
    size_t all = 0;
    for (size_t grade = report_.grades.size(); grade-- > least;) {
      std::vector<std::string> names;
      for (const Group& group : groups_) {
        if (group.is_table || group.standing != grade) continue;
        if (++all > kMost) continue;
        const ReportLine& line = report_.lines[group.begin];
        names.push_back(line.left ? line.left->label : line.right->label);
      }
      if (names.empty()) continue;
      parts.push_back(fmt::format("{} ({})", join(names, ", "), report_.grades[grade].word));
    }
    std::string text = join(parts, ", ");
    if (all > kMost) text += fmt::format(" and {} more", grouped(all - kMost));
    return text;
  }

  /// Says what somebody who knows nothing of types has to know.
  std::string headline() const {
    if (is_set()) return report_.summary + ".";
    if (is_about_rows()) return report_.headline;
    size_t total = 0;
    size_t found = 0;
    for (const Group& group : groups_) {
      if (group.is_table) continue;
      ++total;
      if (group.standing >= first_decision()) ++found;
    }
    const std::string which = named_columns(first_decision());
    const std::string of = fmt::format("{} of {}", grouped(found), counted(total, "column"));
    if (report_.kind == "compat") {
      if (found == 0) return fmt::format("{}.", report_.summary);
      return fmt::format("{}, because of {}: {}.", report_.summary, of, which);
    }
    if (report_.kind == "diff") {
      const bool table =
          !groups_.empty() && groups_.front().is_table && groups_.front().standing > 0;
      if (found == 0)
        return table ? "Only the table's own properties differ." : "No column differs.";
      return fmt::format("{} {}: {}.{}", of, found == 1 ? "differs" : "differ", which,
                         table ? " So do properties of the table." : "");
    }
    if (found == 0) {
      if (total == 0) return "There are no columns.";
      const std::string none = total == 1
                                   ? "The only column needs no"
                                   : fmt::format("None of {} columns needs a", grouped(total));
      return none + " decision: every value is kept.";
    }
    return fmt::format("{} {} a decision: {}.{}", of, found == 1 ? "needs" : "need", which,
                       found == total ? "" : " In all others, every value is kept.");
  }

  void head() {
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action "
        "'none'\">\n"
        "<meta name=\"generator\" content=\"xwalk\">\n<title>{}</title>\n<style>\n{}\n",
        kPageScriptHash, escape_markup(title_of(report_)), kPageStyle);
    for (size_t grade = 0; grade < paths_.size(); ++grade) {
      add(".c{0}{{--c:var(--{1})}}\n", grade, colour_of(report_, grade));
      if (paths_[grade] == 0) continue;
      add("#g{0}:checked~main .h{0}{{display:grid}}"
          "#g{0}:checked~header .f{0} .box::before{{content:\"✓\"}}"
          "#g{0}:focus-visible~header .f{0}{{outline:2px solid var(--blue)}}\n",
          grade);
    }
    out_ += "</style>\n</head>\n<body>\n";
  }

  void header() {
    add("<header>\n<p class=\"eyebrow\">xwalk {}</p>\n", report_.kind);
    if (is_set()) {
      add("<h1>{}</h1>\n", escape_markup(report_.left_name));
    } else {
      add("<h1>{} <span class=\"system\">{}</span> <span class=\"to\">{}</span> {}"
          "<span class=\"system\">{}</span></h1>\n",
          escape_markup(report_.left_name), report_.left_system, is_check() ? "→" : "↔",
          is_check() ? "" : escape_markup(report_.right_name) + " ", report_.right_system);
    }
    add("<p class=\"lead\">{}</p>\n", escape_markup(headline()));
    notes(report_);
    out_ += "<div class=\"bar\" aria-hidden=\"true\">";
    for (size_t grade = paths_.size(); grade-- > 0;) {
      if (columns_[grade] == 0) continue;
      add("<i class=\"c{}\" style=\"flex:{}\"></i>", grade, columns_[grade]);
    }
    out_ += "</div>\n";
    legend();
    out_ +=
        "<div class=\"tools\">\n<div class=\"order\">Order: <label for=\"worst\">worst "
        "first</label> "
        "<label for=\"schema\">as in the schema</label></div>\n"
        "<div class=\"find\" hidden><output></output><input type=\"search\" "
        "placeholder=\"Search names, types, rules\" aria-label=\"Search\"></div>\n"
        "</div>\n</header>\n";
  }

  void notes(const Report& report) {
    for (const std::string& note : report.notes) {
      add("<p class=\"note\">{}</p>\n", escape_markup(note));
    }
  }

  /// What the words mean, how often each was given, and which lines are shown.
  void legend() {
    // Lines of a report on rows are differences, as many as were asked for.
    add("<table class=\"legend\">\n<thead><tr><th scope=\"col\">Show</th>"
        "<th scope=\"col\" class=\"count\">{}</th>"
        "<th scope=\"col\" class=\"count\">{}</th>"
        "<th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n",
        is_about_rows() ? "" : "Columns", is_about_rows() ? "Shown" : "Fields");
    for (size_t grade = paths_.size(); grade-- > 0;) {
      if (paths_[grade] == 0) continue;
      add("<tr class=\"c{0}\"><th scope=\"row\"><label class=\"chip f{0}\" for=\"g{0}\">"
          "<span class=\"box\"></span>{1}</label></th><td class=\"count\">{2}</td>"
          "<td class=\"count\">{3}</td><td>{4}</td></tr>\n",
          grade, report_.grades[grade].word, is_about_rows() ? "" : grouped(columns_[grade]),
          grouped(paths_[grade]), escape_markup(report_.grades[grade].meaning));
    }
    out_ += "</tbody>\n</table>\n";
    if (is_about_rows()) return;
    out_ +=
        "<p class=\"fine\">Fields are columns and everything nested in them; a "
        "column counts as the worst of its fields.</p>\n";
  }

  void sheet() {
    out_ += "<main>\n";
    // Of a project that keeps what it says there is nothing but its pairs.
    if (!report_.tables.empty()) {
      summary();
    } else if (!is_set() || !report_.lines.empty()) {
      table();
    }
    for (Page& file : files_) {
      add("<h2>{}</h2>\n<p class=\"sum\">{}</p>\n",
          escape_markup(is_set() ? title_of(file.report_) : file.report_.left_name),
          escape_markup(file.headline()));
      notes(file.report_);
      out_ += file.own_table();
      rules_.merge(file.rules_);
    }
    out_ += "</main>\n";
  }

  /// A line for each of several tables.
  void summary() {
    out_ +=
        "<table class=\"legend\">\n<thead><tr><th scope=\"col\">Input</th>"
        "<th scope=\"col\" class=\"count\">Rows</th><th scope=\"col\" "
        "class=\"count\">Columns</th><th scope=\"col\">Verdict</th>"
        "<th scope=\"col\">Needs a decision</th></tr></thead>\n<tbody>\n";
    const auto number = [](const std::optional<uint64_t>& known) {
      return known ? grouped(*known) : std::string("—");
    };
    for (const TableSummary& table : report_.tables) {
      add("<tr><th scope=\"row\"><bdi>{}</bdi></th><td class=\"count\">{}</td>"
          "<td class=\"count\">{}</td><td>{}</td><td>{}</td></tr>\n",
          escape_markup(table.input), number(table.rows), number(table.columns),
          escape_markup(table.verdict), escape_markup(table.decision));
    }
    out_ += "</tbody>\n</table>\n";
  }

  std::string own_table() {
    table();
    return std::move(out_);
  }

  void table() {
    add("<table class=\"sheet{}\" role=\"table\" aria-label=\"{}\">\n<thead role=\"rowgroup\">"
        "<tr class=\"heads\" role=\"row\"><th role=\"columnheader\" scope=\"col\">{} "
        "<span class=\"system\">{}</span></th><th role=\"columnheader\" scope=\"col\">{}</th>"
        "<th role=\"columnheader\" scope=\"col\">{} <span class=\"system\">{}</span></th>"
        "<th role=\"columnheader\" scope=\"col\" class=\"unseen\">Why</th></tr></thead>\n",
        groups_.size() > kManyColumns ? " many" : "", escape_markup(title_of(report_)),
        escape_markup(report_.left_name), report_.left_system,
        report_.kind == "diff" ? "Difference" : "Verdict",
        is_check() ? "becomes" : escape_markup(report_.right_name), report_.right_system);
    if (report_.lines.size() == (is_about_rows() ? size_t{1} : size_t{0})) {
      add("<tbody role=\"rowgroup\"><tr role=\"row\"><td role=\"cell\" class=\"empty\">No {}."
          "</td></tr></tbody>\n",
          is_about_rows() ? "differences are shown" : "columns");
    }
    // The worst come first in the page, too; the schema's order is a style.
    std::vector<size_t> order(groups_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::ranges::greater(), [this](size_t i) {
      return std::pair(groups_[i].is_table, groups_[i].worst);
    });
    for (const size_t i : order) {
      // The head of the page is about the whole.
      if (!is_about_rows() || !groups_[i].is_table) group(groups_[i], i);
    }
    out_ += "</table>\n";
  }

  void group(const Group& group, size_t place) {
    // A line hides with its grade, but those that hold others which stay.
    std::vector<uint32_t> grades(group.end - group.begin);
    std::vector<size_t> open;
    for (size_t i = group.begin; i < group.end; ++i) {
      const ReportLine& line = report_.lines[i];
      while (!open.empty() && report_.lines[open.back()].depth >= line.depth) open.pop_back();
      const size_t judge = is_judged(line) || open.empty() ? i : open.back();
      const uint32_t own = 1U << report_.lines[judge].grade;
      grades[i - group.begin] |= own;
      for (const size_t above : open) grades[above - group.begin] |= own;
      open.push_back(i);
    }
    add("<tbody class=\"n\" role=\"rowgroup\" style=\"--o:{}\">\n", place + 1);
    for (size_t i = group.begin; i < group.end; ++i) {
      line(report_.lines[i], grades[i - group.begin], i == group.begin && group.end > i + 1);
    }
    out_ += "</tbody>\n";
  }

  void side(const std::optional<ReportSide>& side, std::string_view which, bool folds, bool same) {
    if (!side) {
      put("<td role=\"cell\" class=\"side ", which,
          " none\"><span class=\"unseen\">nothing</span></td>");
      return;
    }
    const std::string_view name = side->path.empty() ? "(table)" : std::string_view(side->label);
    put("<td role=\"cell\" class=\"side ", which, same ? " same\">" : "\">");
    if (folds) {
      put("<input class=\"fold\" type=\"checkbox\" checked aria-label=\"Show the fields of ");
      put_escaped(name);
      put("\">");
    }
    put("<bdi class=\"name\">");
    put_escaped(name);
    put("</bdi> <bdi class=\"type\"");
    // The whole type where the line shows its own layer only.
    if (side->layer != side->type) {
      put(" title=\"");
      put_escaped(side->type);
      put("\"");
    }
    put(">");
    put_escaped(side->layer);
    put("</bdi></td>");
  }

  void line(const ReportLine& line, uint32_t grades, bool folds) {
    const bool judged = is_judged(line);
    const bool quiet = line.severity == Severity::Good && line.statements.empty();
    put("<tr class=\"line ", judged ? "c" + std::to_string(line.grade) : "stored",
        quiet ? " quiet" : "",
        !line.right  ? " only-left"
        : !line.left ? " only-right"
                     : "",
        line.depth > 0 ? " deep" : "");
    for (size_t grade = 0; grade < paths_.size(); ++grade) {
      if ((grades >> grade & 1U) != 0) put(" h", std::to_string(grade));
    }
    put("\" role=\"row\" style=\"--d:", std::to_string(line.depth), "\">");
    const bool same = line.left && line.right && line.left->label == line.right->label;
    side(line.left, "left", folds && line.left, same);
    put("<td role=\"cell\" class=\"join\"><span class=\"pill\">");
    if (judged) {
      put_escaped(report_.grades[line.grade].word);
    } else if (is_check()) {
      put("stored as");
    }
    put("</span></td>");
    side(line.right, "right", folds && !line.left, same);
    if (!line.statements.empty() && !says_again(line)) why(line);
    put("</tr>\n");
  }

  /// What is said of a line; folded where nobody has to do anything.
  void why(const ReportLine& line) {
    const bool harmless = is_check() && line.grade < first_decision() &&
                          std::ranges::all_of(line.statements, [](const Statement& one) {
                            return is_rule(one.rule);
                          });
    out_ += "<td role=\"cell\" class=\"why\">";
    if (harmless) {
      std::vector<std::string> rules;
      for (const Statement& statement : line.statements) {
        if (std::ranges::find(rules, statement.rule) == rules.end())
          rules.push_back(statement.rule);
      }
      add("<details><summary>{}</summary>", escape_markup(join(rules, ", ")));
    }
    out_ += "<ul>";
    for (const Statement& statement : line.statements) {
      if (is_rule(statement.rule)) {
        rules_.insert(statement.rule);
        add("<li><a class=\"rule\" href=\"#{0}\">{0}</a> ", statement.rule);
      } else {
        add("<li><span class=\"rule\">{}</span> ", escape_markup(statement.rule));
      }
      add("{}</li>", statement.sentence(escape_markup, code, help));
    }
    add("</ul>{}</td>", harmless ? "</details>" : "");
  }

  void footer() {
    out_ += "<footer>\n";
    if (!rules_.empty()) out_ += "<h2>What the rules mean</h2>\n<dl class=\"rules\">\n";
    for (const hub::Rule& rule : hub::rules()) {
      if (!rules_.contains(std::string(rule.slug))) continue;
      add("<dt id=\"{0}\">{0}</dt><dd>{1} {2}</dd>\n", rule.slug, escape_markup(rule.meaning),
          escape_markup(rule.advice));
    }
    if (!rules_.empty()) out_ += "</dl>\n";
    add("</footer>\n<script>{}</script>\n</body>\n</html>\n", kPageScript);
  }

  const Report& report_;
  std::vector<size_t> columns_;
  std::vector<size_t> paths_;
  std::vector<Group> groups_;
  std::vector<Page> files_;
  /// Those that were mentioned.
  std::set<std::string, std::less<>> rules_;
  std::string out_;
};

}  // namespace

std::string print_html(const Report& report) { return Page(report).print(); }

}  // namespace xwalk::crosswalk
