#include "xwalk/report/html_names.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/time_text.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/markup.h"
#include "xwalk/version.h"

namespace xwalk::report {
namespace {

/// Returns where the last part of a name begins, the folder of which is shown small. The name of
/// two folders is one part.
size_t base_of(std::string_view name) {
  const size_t slash = name.find_last_of('/');
  const bool is_whole = slash == std::string_view::npos || slash + 1 == name.size() ||
                        name.substr(0, slash).find(" and ") != std::string_view::npos;
  return is_whole ? 0 : slash + 1;
}

}  // namespace

std::string title_of(const Report& report) {
  const std::string left = report.left_name.substr(base_of(report.left_name));
  if (!report.title.empty()) return report.title;
  if (report.is_set()) return left;
  if (report.kind == "check") return fmt::format("{} → {}", left, report.right_system);
  return fmt::format("{} {} {}", left, arrow_of(report),
                     report.right_name.substr(base_of(report.right_name)));
}

std::string whole_name(const Report& report) {
  const std::string& other = report.kind != "check"  ? report.right_name
                             : report.output.empty() ? report.right_system
                                                     : report.output;
  return fmt::format("{} {} {}", report.left_name, arrow_of(report), other);
}

std::string_view arrow_of(const Report& report) {
  return report.kind == "check" || report.kind == "verify" ? "→" : "↔";
}

std::string named(std::string_view name) {
  const size_t base = base_of(name);
  const std::string folder =
      base == 0 ? "" : fmt::format("<small>{}</small>", shown_markup(name.substr(0, base)));
  return fmt::format("<bdi>{}{}</bdi>", folder, shown_markup(name.substr(base)));
}

std::string short_name(std::string_view name, std::string_view other) {
  const std::string_view last = name.substr(base_of(name));
  return std::string(last == other.substr(base_of(other)) ? name : last);
}

std::string_view colour_of(std::string_view grade) {
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
  return std::ranges::find(kColours, grade, &Colour::word)->name;
}

std::string columns_bar(const std::vector<Grade>& grades, const std::vector<size_t>& columns) {
  const auto all = std::accumulate(columns.begin(), columns.end(), size_t{0});
  if (all == 0) return "";
  std::string parts;
  std::vector<std::string> counts;
  double at = 0;
  for (size_t grade = columns.size(); grade-- > 0;) {
    if (columns[grade] == 0) continue;
    const double share = 100.0 * static_cast<double>(columns[grade]) / static_cast<double>(all);
    parts += fmt::format("<rect x=\"{:.2f}\" width=\"{:.2f}\" height=\"8\" fill=\"var(--{})\"/>",
                         at, share, colour_of(grades[grade].word));
    at += share;
    counts.push_back(fmt::format("{} {}", grouped(columns[grade]), grades[grade].word));
  }
  return fmt::format(
      "<svg class=\"columns\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{0}\"><title>{0}</title>{1}</svg>",
      join(counts, ", "), parts);
}

std::string title_of_rule(std::string_view slug) {
  if (const hub::Rule* rule = crosswalk::rule_of(slug)) {
    return hub::spelled(rule->meaning, hub::Interface::Program);
  }
  if (slug == kRowsRule) return "Rows have values that their own column does not allow.";
  if (slug == "backward") return "Readers of the new schema cannot read the old data.";
  if (slug == "forward") return "Readers of the old schema cannot read the new data.";
  return fmt::format("The two tables differ: {}.", slug.empty() ? "type" : slug);
}

std::string html_decisions(const Report& whole) {
  struct Line {
    const Decision* first;
    size_t fields = 0;
    std::set<const Report*> tables;
    uint64_t rejected = 0;
    std::set<std::string_view> paths;
  };
  constexpr size_t kNamedFields = 4;
  std::vector<Line> lines;
  const auto add_all = [&](const Report& report) {
    for (const Decision& one : report.decisions) {
      if (one.state == DecisionState::Known) continue;
      auto line = std::ranges::find_if(lines, [&](const Line& known) {
        return known.first->rule == one.rule && known.first->state == one.state &&
               known.first->decided == one.decided;
      });
      if (line == lines.end()) line = lines.insert(lines.end(), {&one, 0, {}, 0, {}});
      ++line->fields;
      line->paths.insert(one.path);
      line->tables.insert(&report);
      line->rejected += one.rejected.value_or(0);
    }
  };
  add_all(whole);
  for (const Report& file : whole.files) add_all(file);
  if (lines.empty()) return "";
  std::string out =
      "<h2>Decisions</h2>\n<table class=\"legend inputs\">\n<thead><tr><th "
      "scope=\"col\">Rule</th>"
      "<th scope=\"col\">Fields</th><th scope=\"col\" class=\"count\">Rejected</th>"
      "<th scope=\"col\">Decision</th></tr></thead>\n<tbody>\n";
  for (const Line& line : lines) {
    std::string names;
    size_t named = 0;
    for (const std::string_view path : line.paths) {
      if (++named > kNamedFields) break;
      names += fmt::format("{}{}", named == 1 ? "" : ", ", path);
    }
    if (line.tables.size() > 1 || line.paths.size() > kNamedFields) {
      names = fmt::format("{} of {}: {}{}", counted(line.fields, "field"),
                          counted(line.tables.size(), "table"), names,
                          line.paths.size() > kNamedFields ? ", …" : "");
    }
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"count\">{}</td><td>{}</td></tr>\n",
        shown_markup(title_of_rule(line.first->rule)), shown_markup(names), grouped(line.rejected),
        line.first->decided.empty() ? "settled: all rows were read, and fit"
                                    : shown_markup(line.first->decided));
  }
  return out + "</tbody>\n</table>\n";
}

std::string day_of_page() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const CivilDate date =
      civil_from_days(std::chrono::duration_cast<std::chrono::days>(now).count());
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::string html_origin(const PageOrigin& origin) {
  std::string out = fmt::format("<p class=\"fine\">xwalk {}, {}", XWALK_VERSION, day_of_page());
  if (!origin.command.empty())
    out += fmt::format(": <code>{}</code>", shown_markup(origin.command));
  out += "</p>\n";
  if (origin.inputs.empty()) return out;
  out += "<ul class=\"fine\">\n";
  for (const PageInput& input : origin.inputs) {
    out += fmt::format("<li>{}{}{}</li>\n", shown_markup(input.name),
                       input.bytes ? ", " + counted(*input.bytes, "byte") : "",
                       input.rows ? ", " + counted(*input.rows, "row") : "");
  }
  return out + "</ul>\n";
}

}  // namespace xwalk::report
