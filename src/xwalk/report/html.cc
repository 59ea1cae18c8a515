#include "xwalk/report/html.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/html_names.h"
#include "xwalk/report/html_style.h"
#include "xwalk/report/markup.h"
#include "xwalk/report/rows_html.h"
#include "xwalk/version.h"

namespace xwalk::report {
namespace {

/// Columns from which a browser lays out only those that it shows.
constexpr size_t kManyColumns = 500;
/// Tables of one page that are all open at first; of more, only those that fail.
constexpr size_t kOpenFiles = 4;

std::string code(std::string_view text) {
  return fmt::format("<code>{}</code>", shown_markup(text));
}

std::string help(std::string_view text) {
  return fmt::format("<span class=\"hint\">{}</span>", shown_markup(text));
}

bool is_rule(std::string_view word) {
  return std::ranges::binary_search(crosswalk::rules(), word, {}, &hub::Rule::slug);
}

/// The lines of a column and its nested fields, or of the table.
struct Group {
  size_t begin = 0;
  size_t end = 0;
  size_t worst = 0;
  /// The worst without what was accepted.
  size_t unaccepted_verdict = 0;
  bool is_table = false;
};

class Page {
 public:
  Page(const Report& report, const PageOrigin& origin)
      : report_(report),
        origin_(origin),
        columns_(report.grades.size()),
        paths_(report.grades.size()) {
    if (!is_about_rows()) find_groups();
    // The words at the top choose among the lines of all files.
    for (const Report& file : report.files) {
      files_.emplace_back(file, origin);
      for (size_t grade = 0; grade < paths_.size(); ++grade) {
        const size_t paths = files_.back().paths_[grade];
        // The parts of a table have its columns.
        paths_[grade] = is_set() ? paths_[grade] + paths : std::max(paths_[grade], paths);
        if (is_set()) columns_[grade] += files_.back().columns_[grade];
      }
    }
  }

  std::string print() {
    head();
    if (has_lines()) {
      out_ +=
          "<input class=\"pick\" type=\"radio\" name=\"order\" id=\"worst\" checked>\n"
          "<input class=\"pick\" type=\"radio\" name=\"order\" id=\"schema\">\n";
    }
    for (size_t grade = paths_.size(); grade-- > 0;) {
      if (paths_[grade] == 0 || !has_lines()) continue;
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
  /// Appends the parts of a line.
  template <typename... Parts>
  void put(const Parts&... parts) {
    (out_.append(std::string_view(parts)), ...);
  }
  void put_escaped(std::string_view text) { append_shown_markup(text, &out_); }

  bool is_check() const { return report_.kind == "check"; }
  /// The command that makes such reports.
  std::string_view command() const {
    return report_.files.empty() ? report_.kind : report_.files.front().kind;
  }
  bool is_set() const { return report_.is_set(); }
  bool is_about_rows() const { return report_.rows.has_value(); }
  /// Returns true if any part of the page shows two schemas side by side.
  bool has_lines() const {
    if (!is_set()) return !is_about_rows();
    return (!report_.has_problems_in_table() && !report_.lines.empty()) ||
           std::ranges::any_of(files_, &Page::has_lines);
  }

  /// A node that only the target has is the way its parent is stored: nothing is judged by it. What
  /// came or went with its parent is judged there, where two schemas are asked to be compatible.
  bool is_judged(const ReportLine& line) const {
    if (is_check()) return line.left.has_value();
    const bool alone = line.depth > 0 && !(line.left && line.right);
    return report_.kind != "compat" || !alone || !line.statements.empty();
  }

  /// What came or went has its type beside the word for it: no need to say both again.
  bool repeats_change(const ReportLine& line) const {
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
      if (!is_judged(lines[i])) continue;
      group.worst = std::max(group.worst, lines[i].grade);
      group.unaccepted_verdict = std::max(group.unaccepted_verdict, lines[i].unaccepted_verdict);
      ++paths_[lines[i].grade];
    }
    for (const Group& group : groups_) {
      if (!group.is_table) ++columns_[group.worst];
    }
  }

  /// The lowest grade that needs a decision.
  size_t first_decision() const {
    // In a project the grades of its kinds of reports follow one another.
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
        if (group.is_table || group.unaccepted_verdict != grade) continue;
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

  /// Prints what readers without knowledge of types need.
  std::string headline() const {
    if (is_set()) return report_.summary + ".";
    if (!report_.headline.empty()) return report_.headline;
    size_t total = 0;
    size_t found = 0;
    for (const Group& group : groups_) {
      if (group.is_table) continue;
      ++total;
      if (group.unaccepted_verdict >= first_decision()) ++found;
    }
    const std::string which = named_columns(first_decision());
    const std::string of = fmt::format("{} of {}", grouped(found), counted(total, "column"));
    if (report_.kind == "compat") {
      if (found == 0) return fmt::format("{}.", report_.summary);
      return fmt::format("{}, because of {}: {}.", report_.summary, of, which);
    }
    const bool table =
        !groups_.empty() && groups_.front().is_table && groups_.front().unaccepted_verdict > 0;
    if (found == 0) {
      return table ? "Only the table's own properties differ." : "No column differs.";
    }
    return fmt::format("{} {}: {}.{}", of, found == 1 ? "differs" : "differ", which,
                       table ? " So do properties of the table." : "");
  }

  void head() {
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action "
        "'none'\">\n"
        "<meta name=\"generator\" content=\"xwalk {}\">\n<title>{}</title>\n<style>\n{}\n",
        kPageScriptHash, XWALK_VERSION, shown_markup(title_of(report_)), kPageStyle);
    for (size_t grade = 0; grade < paths_.size(); ++grade) {
      add(".c{0}{{--c:var(--{1})}}\n", grade, colour_of(report_.grades[grade].word));
      if (paths_[grade] == 0) continue;
      add("#g{0}:checked~main .h{0}{{display:grid}}"
          "#g{0}:checked~header .f{0} .box::before{{content:\"✓\"}}"
          "#g{0}:focus-visible~header .f{0}{{outline:2px solid var(--blue)}}\n",
          grade);
    }
    out_ += "</style>\n</head>\n<body>\n";
  }

  void header() {
    if (command() == "verify") {
      out_ += "<header>\n<p class=\"eyebrow\">Proof of a conversion</p>\n";
    } else {
      add("<header>\n<p class=\"eyebrow\">xwalk {}</p>\n", command());
    }
    if (is_set() || !report_.title.empty()) {
      add("<h1>{}</h1>\n",
          report_.title.empty() ? named(report_.left_name) : shown_markup(report_.title));
    } else {
      add("<h1>{} <span class=\"system\">{}</span> <span class=\"to\">{}</span> {}"
          "<span class=\"system\">{}</span></h1>\n",
          named(report_.left_name), report_.left_system, arrow_of(report_),
          is_check() ? "" : named(report_.right_name) + " ", report_.right_system);
    }
    add("<p class=\"lead\">{}</p>\n", shown_markup(headline()));
    notes(report_);
    if (!has_lines()) {
      out_ += "</header>\n";
      return;
    }
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
        "<label for=\"schema\">schema order</label></div>\n"
        "<div class=\"find\" hidden><output></output><input type=\"search\" "
        "placeholder=\"Search names, types, rules\" aria-label=\"Search\"></div>\n"
        "</div>\n</header>\n";
  }

  void notes(const Report& report) {
    constexpr size_t kOpenNotes = 8;
    const size_t open = report.notes.size() > kOpenNotes + 2 ? kOpenNotes : report.notes.size();
    for (size_t i = 0; i < report.notes.size(); ++i) {
      if (i == open) {
        add("<details><summary class=\"note\">{}</summary>\n",
            counted(report.notes.size() - i, "more line"));
      }
      // The table of columns says it.
      if (report.rows && report.notes[i] == counts_of(*report.rows)) continue;
      add("<p class=\"note\">{}</p>\n", shown_markup(report.notes[i]));
    }
    if (open < report.notes.size()) out_ += "</details>\n";
  }

  /// What the words mean, how often each was given, and which lines are shown.
  void legend() {
    add("<table class=\"legend\">\n<thead><tr><th scope=\"col\">Show</th>"
        "<th scope=\"col\" class=\"count\">Columns</th>"
        "<th scope=\"col\" class=\"count\">Fields</th>"
        "<th scope=\"col\">Meaning</th></tr></thead>\n<tbody>\n");
    for (size_t grade = paths_.size(); grade-- > 0;) {
      if (paths_[grade] == 0) continue;
      add("<tr class=\"c{0}\"><th scope=\"row\"><label class=\"chip f{0}\" for=\"g{0}\">"
          "<span class=\"box\"></span>{1}</label></th><td class=\"count\">{2}</td>"
          "<td class=\"count\">{3}</td><td>{4}</td></tr>\n",
          grade, report_.grades[grade].word, grouped(columns_[grade]), grouped(paths_[grade]),
          shown_markup(report_.grades[grade].meaning));
    }
    out_ += "</tbody>\n</table>\n";
    out_ +=
        "<p class=\"fine\">Fields are columns and everything nested in them; a "
        "column counts as the worst of its fields.</p>\n";
  }

  void sheet() {
    out_ += "<main>\n";
    if (command() == "verify") out_ += html_decisions(report_);
    if (!report_.tables.empty()) summary();
    if (is_about_rows()) {
      append_rows(*report_.rows, &out_);
    } else if (!is_set() || (!report_.lines.empty() && !report_.has_problems_in_table())) {
      // A project without a problem has no lines of its own.
      table();
    }
    std::vector<Page*> order;
    for (Page& file : files_) order.push_back(&file);
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [](const Page* file) { return rank_of(file->report_); });
    for (Page* file : order) {
      const Report& report = file->report_;
      add("<details class=\"file\"{}><summary><h2>{}</h2> <span class=\"c{} verdict\">{}</span>"
          "</summary>\n<p class=\"sum\">{}</p>\n",
          report.fails || files_.size() <= kOpenFiles ? " open" : "",
          shown_markup(is_set() ? whole_name(report) : report.left_name), report.grade,
          report.grades[report.grade].word, shown_markup(file->headline()));
      notes(report);
      out_ += file->own_part();
      out_ += "</details>\n";
      rules_.merge(file->rules_);
    }
    out_ += "</main>\n";
  }

  /// A line for each of several tables.
  void summary() {
    if (command() == "verify") out_ += "<h2>Tables</h2>\n";
    out_ +=
        "<table class=\"legend inputs\">\n<thead><tr><th scope=\"col\">Input</th>"
        "<th scope=\"col\" class=\"count\">Rows</th><th scope=\"col\" "
        "class=\"count\">Columns</th><th scope=\"col\">Verdict</th>"
        "<th scope=\"col\">";
    out_ += command() == "verify" ? "Differs, or rejected" : "Needs a decision";
    out_ += "</th></tr></thead>\n<tbody>\n";
    const auto number = [](const std::optional<uint64_t>& known) {
      return known ? grouped(*known) : std::string("—");
    };
    std::vector<TableSummary> tables = report_.tables;
    std::ranges::stable_sort(tables, std::ranges::greater(), [](const TableSummary& table) {
      return std::pair(table.state, table.severity);
    });
    for (const TableSummary& table : tables) {
      add("<tr><th scope=\"row\"><bdi>{}</bdi></th><td class=\"count\">{}</td>"
          "<td class=\"count\">{}</td><td>{}{}</td><td>{}</td></tr>\n",
          shown_markup(report_.name_of(table)), number(table.rows), number(table.columns),
          shown_markup(table.verdict), columns_bar(report_.grades, table.columns_by_grade),
          shown_markup(table.reason()));
    }
    out_ += "</tbody>\n</table>\n";
  }

  /// Orders the tables of a page: failures first, then by severity and verdict.
  static std::tuple<bool, Severity, size_t> rank_of(const Report& report) {
    return {report.fails, report.severity, report.grade};
  }

  std::string own_part() {
    if (is_about_rows()) {
      append_rows(*report_.rows, &out_);
    } else {
      table();
    }
    return std::move(out_);
  }

  void table() {
    add("<table class=\"sheet{}\" role=\"table\" aria-label=\"{}\">\n<thead role=\"rowgroup\">"
        "<tr class=\"heads\" role=\"row\"><th role=\"columnheader\" scope=\"col\">{} "
        "<span class=\"system\">{}</span></th><th role=\"columnheader\" scope=\"col\">{}</th>"
        "<th role=\"columnheader\" scope=\"col\">{} <span class=\"system\">{}</span></th>"
        "<th role=\"columnheader\" scope=\"col\" class=\"unseen\">Why</th></tr></thead>\n",
        groups_.size() > kManyColumns ? " many" : "", shown_markup(title_of(report_)),
        shown_markup(report_.left_name), report_.left_system,
        report_.kind == "diff" ? "Difference" : "Verdict",
        is_check() ? "becomes" : shown_markup(report_.right_name), report_.right_system);
    if (report_.lines.empty()) {
      out_ +=
          "<tbody role=\"rowgroup\"><tr role=\"row\"><td role=\"cell\" class=\"empty\">No "
          "columns.</td></tr></tbody>\n";
    }
    // The worst come first in the page, too; the schema's order is a style.
    std::vector<size_t> order(groups_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::ranges::greater(), [this](size_t i) {
      return std::pair(groups_[i].is_table, groups_[i].worst);
    });
    for (const std::vector<size_t>& equal : alike(order)) {
      if (equal.size() == 1) {
        group(groups_[equal.front()], equal.front());
      } else {
        bundle(equal);
      }
    }
    out_ += "</table>\n";
  }

  /// Returns text that columns share if they have the same types, verdicts and statements. Columns
  /// without statements share it if they have the same verdict.
  std::string likeness_of(const Group& group) const {
    std::string out;
    const auto add_part = [&](std::string_view part) { out.append(part).append(1, '\0'); };
    const std::span lines = std::span(report_.lines).subspan(group.begin, group.end - group.begin);
    const bool is_quiet = std::ranges::all_of(lines, [](const ReportLine& line) {
      return line.severity == Severity::Good && line.grade == line.unaccepted_verdict &&
             line.statements.empty();
    });
    if (is_quiet) return fmt::format("quiet {}", group.worst);
    for (const ReportLine& line : lines) {
      const bool is_column = line.depth == 0;
      out += fmt::format("{} {} {} ", line.depth, line.grade, line.unaccepted_verdict);
      for (const std::optional<ReportSide>* side : {&line.left, &line.right}) {
        add_part(*side && !is_column ? (*side)->label : "");
        add_part(*side ? (*side)->layer : "");
      }
      const bool renamed = line.left && line.right && line.left->label != line.right->label;
      if (renamed && is_column) add_part(line.left->label);
      for (const Statement& one : line.statements) {
        add_part(one.rule);
        add_part(without_place(one.text, report_.lines[group.begin]));
        add_part(one.witness);
        add_part(one.hint);
      }
    }
    return out;
  }

  /// Returns the text of a statement without the name of its column in `(at NAME…)`.
  static std::string without_place(std::string text, const ReportLine& column) {
    const std::string place = "(at " + (column.left ? column.left : column.right)->path;
    const size_t at = text.find(place);
    return at == std::string::npos ? text : text.erase(at, place.size());
  }

  /// Collects columns that are alike, each at the place of the first.
  std::vector<std::vector<size_t>> alike(const std::vector<size_t>& order) const {
    std::vector<std::vector<size_t>> out;
    std::unordered_map<std::string, size_t> met;
    for (const size_t i : order) {
      if (groups_[i].is_table) {
        out.push_back({i});
        continue;
      }
      const auto [place, fresh] = met.try_emplace(likeness_of(groups_[i]), out.size());
      if (fresh) out.emplace_back();
      out[place->second].push_back(i);
    }
    return out;
  }

  /// Shows columns that are alike as one line, which opens to show each.
  void bundle(const std::vector<size_t>& equal) {
    const Group& first = groups_[equal.front()];
    const ReportLine& model = report_.lines[first.begin];
    const bool same_type = std::ranges::all_of(equal, [&](size_t i) {
      const ReportLine& line = report_.lines[groups_[i].begin];
      return type_of(line, true) == type_of(model, true) &&
             type_of(line, false) == type_of(model, false);
    });
    constexpr size_t kMostNames = 8;
    std::vector<std::string> names;
    for (const size_t i : equal) {
      if (names.size() == kMostNames) {
        names.push_back(fmt::format("{} more", grouped(equal.size() - kMostNames)));
        break;
      }
      const ReportLine& line = report_.lines[groups_[i].begin];
      names.push_back((line.left ? line.left : line.right)->label);
    }
    uint32_t grades = 0;
    for (size_t i = first.begin; i < first.end; ++i) {
      if (is_judged(report_.lines[i])) grades |= 1U << report_.lines[i].grade;
    }
    add("<tbody class=\"n bundle\" role=\"rowgroup\" style=\"--o:{}\">\n", equal.front() + 1);
    ReportLine head = model;
    for (std::optional<ReportSide>* side : {&head.left, &head.right}) {
      if (!*side) continue;
      (*side)->label = counted(equal.size(), "column");
      if (!same_type) (*side)->layer = (*side)->type = "";
    }
    line(head, grades, true, first.worst, "", join(names, ", "));
    for (const size_t i : equal) {
      for (size_t at = groups_[i].begin; at < groups_[i].end; ++at) {
        ReportLine member = report_.lines[at];
        ++member.depth;
        // The line above has said it.
        if (at == groups_[i].begin) member.statements.clear();
        // Paper shows the reasons within one of the columns.
        const bool is_model = i == equal.front() && !member.statements.empty();
        line(member, grades, false, at == groups_[i].begin ? groups_[i].worst : member.grade,
             is_model ? " model" : "");
      }
    }
    out_ += "</tbody>\n";
  }

  std::string type_of(const ReportLine& line, bool left) const {
    const std::optional<ReportSide>& side = left ? line.left : line.right;
    return side ? side->layer : "";
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
      // A column shows the worst verdict on its fields.
      line(report_.lines[i], grades[i - group.begin], i == group.begin && group.end > i + 1,
           i == group.begin ? group.worst : report_.lines[i].grade);
    }
    out_ += "</tbody>\n";
  }

  /// Adds a cell for one schema: the name and the type, or for several columns their names.
  void side(const std::optional<ReportSide>& side, std::string_view which, bool folds, bool same,
            std::string_view several) {
    if (!side) {
      put("<td role=\"cell\" class=\"side ", which,
          " none\"><span class=\"unseen\">nothing</span></td>");
      return;
    }
    const std::string_view name = side->path.empty() ? "(table)" : std::string_view(side->label);
    put("<td role=\"cell\" class=\"side ", which, same ? " same" : "",
        side->layer.empty() ? " untyped\"><span>" : "\"><span>");
    if (folds) {
      put("<input class=\"fold\" type=\"checkbox\"", several.empty() ? " checked" : "",
          " aria-label=\"Show the fields of ");
      put_escaped(name);
      put("\">");
    }
    put("<bdi class=\"name\">");
    put_escaped(name);
    put("</bdi></span> <bdi class=\"type\"");
    // The whole type where the line shows its own layer only.
    if (side->layer != side->type) {
      put(" title=\"");
      put_escaped(side->type);
      put("\"");
    }
    put(">");
    put_escaped(side->layer);
    put("</bdi>");
    if (folds && !several.empty()) {
      put(" <span class=\"several\">");
      put_escaped(several);
      put("</span>");
    }
    put("</td>");
  }

  /// Adds a line. `shown` is the grade that it shows, `style` a further class; `several` names the
  /// columns that it is for.
  void line(const ReportLine& line, uint32_t grades, bool folds, size_t shown,
            std::string_view style = "", const std::string& several = "") {
    const bool judged = is_judged(line);
    const bool quiet =
        line.severity == Severity::Good && line.statements.empty() && shown == line.grade;
    put("<tr class=\"line ", judged ? "c" + std::to_string(shown) : "stored", quiet ? " quiet" : "",
        !line.right  ? " only-left"
        : !line.left ? " only-right"
                     : "",
        line.depth > 0 ? " deep" : "", style);
    for (size_t grade = 0; grade < paths_.size(); ++grade) {
      if ((grades >> grade & 1U) != 0) put(" h", std::to_string(grade));
    }
    put("\" role=\"row\" style=\"--d:", std::to_string(line.depth), "\">");
    const bool same = line.left && line.right && line.left->label == line.right->label;
    side(line.left, "left", folds && line.left, same, several);
    put("<td role=\"cell\" class=\"join\"><span class=\"pill\">");
    if (judged) {
      put_escaped(report_.grades[shown].word);
    } else if (is_check()) {
      put("stored as");
    }
    put("</span></td>");
    side(line.right, "right", folds && !line.left, same, several);
    if (!line.statements.empty() && !repeats_change(line)) why(line);
    put("</tr>\n");
  }

  /// The statements of a line, folded if no decision is needed.
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
      add("<details><summary>{}</summary>", shown_markup(join(rules, ", ")));
    }
    out_ += "<ul>";
    for (const Statement& statement : line.statements) {
      if (is_rule(statement.rule)) {
        rules_.insert(statement.rule);
        add("<li><a class=\"rule\" href=\"#{0}\">{0}</a> ", statement.rule);
      } else {
        add("<li><span class=\"rule\">{}</span> ", shown_markup(statement.rule));
      }
      add("{}</li>", statement.sentence(shown_markup, code, help));
    }
    add("</ul>{}</td>", harmless ? "</details>" : "");
  }

  void footer() {
    out_ += "<footer>\n";
    if (!rules_.empty()) out_ += "<h2>What the rules mean</h2>\n<dl class=\"rules\">\n";
    for (const hub::Rule& rule : crosswalk::rules()) {
      if (!rules_.contains(std::string(rule.slug))) continue;
      add("<dt id=\"{0}\">{0}</dt><dd>{1} {2}</dd>\n", rule.slug,
          shown_markup(hub::spelled(rule.meaning, hub::Interface::Program)),
          shown_markup(hub::spelled(rule.advice, hub::Interface::Program)));
    }
    if (!rules_.empty()) out_ += "</dl>\n";
    // A proof begins with its origin.
    if (command() != "verify") out_ += html_origin(origin_);
    out_ += "</footer>\n";
    if (has_lines()) add("<script>{}</script>\n", kPageScript);
    out_ += "</body>\n</html>\n";
  }

  const Report& report_;
  const PageOrigin& origin_;
  std::vector<size_t> columns_;
  std::vector<size_t> paths_;
  std::vector<Group> groups_;
  std::vector<Page> files_;
  /// Those that were mentioned.
  std::set<std::string, std::less<>> rules_;
  std::string out_;
};

}  // namespace

std::string print_html(const Report& report, const PageOrigin& origin) {
  return Page(report, origin).print();
}

}  // namespace xwalk::report
