#include "xwalk/crosswalk/report_html.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/crosswalk/markup.h"
#include "xwalk/crosswalk/report_html_style.h"

namespace xwalk::crosswalk {
namespace {

/// The colour of each grade.
std::string_view colour_of(const Report& report, size_t grade) {
  struct Colour {
    std::string_view word;
    std::string_view name;
  };
  constexpr std::array<Colour, 14> kColours = {{{"exact", "green"},
                                                {"annotated", "blue"},
                                                {"widened", "violet"},
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
  if (report.kind == "project") return report.left_name;
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

class Page {
 public:
  explicit Page(const Report& report) : report_(report), counts_(report.grades.size()) {
    for (const ReportLine& line : report.lines) {
      if (is_judged(line)) ++counts_[line.grade];
    }
    find_subtrees();
    // The words at the top choose among the lines of all files.
    for (const Report& file : report.files) {
      files_.emplace_back(file);
      for (size_t grade = 0; grade < counts_.size(); ++grade) {
        counts_[grade] += files_.back().counts_[grade];
      }
    }
  }

  std::string print() {
    head();
    for (size_t grade = 0; grade < counts_.size(); ++grade) {
      if (counts_[grade] == 0) continue;
      add("<input class=\"pick\" type=\"checkbox\" id=\"g{0}\" checked>\n", grade);
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

  /// A node that only the target has is the way its parent is stored: nothing is judged by it.
  bool is_judged(const ReportLine& line) const { return line.left || report_.kind != "check"; }

  /// Finds for each line where the lines below it end, and which grades stand there.
  void find_subtrees() {
    const auto& lines = report_.lines;
    ends_.resize(lines.size());
    grades_.resize(lines.size());
    std::vector<size_t> open;
    auto close_until = [&](int depth, size_t at) {
      while (!open.empty() && (is_table(open.back()) || lines[open.back()].depth >= depth)) {
        const size_t done = open.back();
        open.pop_back();
        ends_[done] = at;
        if (!open.empty()) grades_[open.back()] |= grades_[done];
      }
    };
    for (size_t i = 0; i < lines.size(); ++i) {
      close_until(lines[i].depth, i);
      // What is not judged shows and hides with what it stands in.
      const bool judged = is_judged(lines[i]) || open.empty();
      grades_[i] = 1U << lines[judged ? i : open.back()].grade;
      open.push_back(i);
    }
    close_until(-1, lines.size());
  }

  bool is_project() const { return report_.kind == "project"; }
  bool is_table(size_t line) const { return report_.lines[line].path().empty(); }

  void head() {
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; form-action "
        "'none'\">\n"
        "<meta name=\"generator\" content=\"xwalk\">\n<title>{}</title>\n<style>\n{}\n",
        kPageScriptHash, escape_markup(title_of(report_)), kPageStyle);
    for (size_t grade = 0; grade < counts_.size(); ++grade) {
      add(".c{0}{{--c:var(--{1})}}\n", grade, colour_of(report_, grade));
      if (counts_[grade] == 0) continue;
      add("#g{0}:checked~main .h{0}{{display:block}}"
          "#g{0}:checked~header .f{0}{{color:var(--ink)}}"
          "#g{0}:checked~header .f{0}::before{{background:var(--c)}}"
          "#g{0}:focus-visible~header .f{0}{{outline:2px solid var(--blue)}}\n",
          grade);
    }
    out_ += "</style>\n</head>\n<body>\n";
  }

  void header() {
    const bool is_check = report_.kind == "check";
    add("<header>\n<p class=\"eyebrow\">xwalk {}</p>\n", report_.kind);
    if (is_project()) {
      add("<h1>{}</h1>\n", escape_markup(report_.left_name));
    } else {
      add("<h1>{} <span class=\"system\">{}</span> <span class=\"to\">{}</span> {}"
          "<span class=\"system\">{}</span></h1>\n",
          escape_markup(report_.left_name), report_.left_system, is_check ? "→" : "↔",
          is_check ? "" : escape_markup(report_.right_name) + " ", report_.right_system);
    }
    add("<p class=\"sum\">{}</p>\n", escape_markup(report_.summary));
    for (const std::string& note : report_.notes) {
      add("<p class=\"note\">{}</p>\n", escape_markup(note));
    }
    out_ += "<div class=\"bar\" aria-hidden=\"true\">";
    for (size_t grade = 0; grade < counts_.size(); ++grade) {
      if (counts_[grade] == 0) continue;
      add("<i class=\"c{}\" style=\"flex:{}\"></i>", grade, counts_[grade]);
    }
    out_ += "</div>\n<div class=\"tools\">\n";
    for (size_t grade = 0; grade < counts_.size(); ++grade) {
      if (counts_[grade] == 0) continue;
      add("<label class=\"chip f{0} c{0}\" for=\"g{0}\" title=\"{2}\">{1} <b>{3}</b></label>\n",
          grade, report_.grades[grade].word, escape_markup(report_.grades[grade].meaning),
          grouped(counts_[grade]));
    }
    out_ +=
        "<div class=\"find\" hidden><output></output><input type=\"search\" "
        "placeholder=\"Search names, types, rules\" aria-label=\"Search\"></div>\n"
        "</div>\n</header>\n";
  }

  void sheet() {
    out_ += "<main>\n";
    // Of a project that keeps what it says there is nothing but its pairs.
    if (!is_project() || !report_.lines.empty()) table();
    for (Page& file : files_) {
      add("<h2>{}</h2>\n<p class=\"sum\">{}</p>\n",
          escape_markup(is_project() ? title_of(file.report_) : file.report_.left_name),
          escape_markup(file.report_.summary));
      for (const std::string& note : file.report_.notes) {
        add("<p class=\"note\">{}</p>\n", escape_markup(note));
      }
      file.table();
      out_ += file.out_;
    }
    out_ += "</main>\n";
  }

  void table() {
    const bool is_check = report_.kind == "check";
    add("<div class=\"sheet\">\n<div class=\"heads\"><span>{} <span class=\"system\">{}"
        "</span></span><span></span><span>{} <span class=\"system\">{}</span></span></div>\n",
        escape_markup(report_.left_name), report_.left_system,
        is_check ? "becomes" : escape_markup(report_.right_name), report_.right_system);
    if (report_.lines.empty()) out_ += "<p class=\"empty\">No columns.</p>\n";
    nodes(0, report_.lines.size());
    out_ += "</div>\n";
  }

  void nodes(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i = ends_[i]) {
      const bool folds = ends_[i] > i + 1;
      const std::string_view tag = folds ? "details" : "div";
      add("<{}{} class=\"n", tag, folds ? " open" : "");
      for (size_t grade = 0; grade < counts_.size(); ++grade) {
        if ((grades_[i] >> grade & 1U) != 0) add(" h{}", grade);
      }
      out_ += "\">\n";
      line(report_.lines[i], folds);
      nodes(i + 1, ends_[i]);
      add("</{}>\n", tag);
    }
  }

  void side(const std::optional<ReportSide>& side, std::string_view which, bool folds, bool same) {
    if (!side) {
      add("<span class=\"side {} none\"></span>", which);
      return;
    }
    const std::string name = side->path.empty() ? "(table)" : side->label;
    add("<span class=\"side {}{}\">", which, same ? " same" : "");
    if (folds) out_ += "<i class=\"fold\"></i>";
    add("<bdi class=\"name\">{}</bdi><bdi class=\"type\"", escape_markup(name));
    // The whole type where the line shows its own layer only.
    if (side->layer != side->type) add(" title=\"{}\"", escape_markup(side->type));
    add(">{}</bdi></span>", escape_markup(side->layer));
  }

  void line(const ReportLine& line, bool folds) {
    const std::string_view tag = folds ? "summary" : "div";
    const bool quiet = line.severity == Severity::Good && line.statements.empty();
    const std::string_view alone = !line.right ? " only-left" : !line.left ? " only-right" : "";
    const std::string colour = is_judged(line) ? fmt::format("c{}", line.grade) : "stored";
    add("<{} class=\"line {}{}{}\" style=\"--d:{}\">", tag, colour, quiet ? " quiet" : "", alone,
        line.depth);
    const bool same = line.left && line.right && line.left->label == line.right->label;
    side(line.left, "left", folds, same);
    const Grade& grade = report_.grades[line.grade];
    const bool judged = is_judged(line);
    add("<span class=\"join\"><span class=\"pill\">{}</span></span>",
        judged ? escape_markup(grade.word) : "stored as");
    side(line.right, "right", folds && !line.left, same);
    if (!line.statements.empty()) {
      out_ += "<ul class=\"why\">";
      for (const Statement& statement : line.statements) {
        add("<li><span class=\"rule\">{}</span>{}</li>", escape_markup(statement.rule),
            statement.sentence(escape_markup, code, help));
      }
      out_ += "</ul>";
    }
    add("</{}>\n", tag);
  }

  void footer() {
    out_ += "<footer>\n<details class=\"legend\"><summary>What the words mean</summary><dl>\n";
    for (size_t grade = 0; grade < counts_.size(); ++grade) {
      add("<dt class=\"c{}\">{}</dt><dd>{}</dd>\n", grade, report_.grades[grade].word,
          escape_markup(report_.grades[grade].meaning));
    }
    if (report_.kind == "check") {
      out_ +=
          "<dt>rules</dt><dd>each finding's rule is told by <code>xwalk explain RULE</code></dd>\n";
    }
    add("</dl></details>\n</footer>\n<script>{}</script>\n</body>\n</html>\n", kPageScript);
  }

  const Report& report_;
  std::vector<size_t> counts_;
  std::vector<size_t> ends_;
  std::vector<uint32_t> grades_;
  std::vector<Page> files_;
  std::string out_;
};

}  // namespace

std::string print_html(const Report& report) { return Page(report).print(); }

}  // namespace xwalk::crosswalk
