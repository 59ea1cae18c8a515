#include "xwalk/convert/info_html.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/convert/table_infos.h"
#include "xwalk/report/html_names.h"
#include "xwalk/report/html_style.h"
#include "xwalk/report/markup.h"
#include "xwalk/report/report.h"

namespace xwalk::io {
namespace {

std::string marked(std::string_view text) { return report::shown_markup(visible(text)); }

/// A cell that is aligned to the right. An unknown value is a dash with a label.
std::string number(const std::optional<std::string>& text) {
  constexpr std::string_view kUnknown = R"(<td class="num unknown" title="not recorded">—</td>)";
  return text ? fmt::format(R"(<td class="num">{}</td>)", marked(*text)) : std::string(kUnknown);
}

std::optional<std::string> grouped_or_none(const std::optional<uint64_t>& value) {
  return value ? std::optional(grouped(*value)) : std::nullopt;
}

std::optional<std::string> distinct_text(const ColumnInfo& column) {
  if (!column.distinct) return std::nullopt;
  return (column.distinct->estimated ? "~" : "") + grouped(column.distinct->values);
}

std::optional<std::string> bound(const std::optional<std::string>& value, bool shortened) {
  return value ? std::optional(visible(*value) + (shortened ? "…" : "")) : std::nullopt;
}

std::string joined(const std::set<std::string>& set) {
  return join(std::vector<std::string>(set.begin(), set.end()), ", ");
}

/// Draws a histogram: a bar for each range, as high as its count.
std::string picture(const ColumnInfo& column) {
  const std::vector<uint64_t>& counts = column.histogram.counts;
  if (counts.empty()) return "<td></td>";
  const auto most = static_cast<double>(std::ranges::max(counts));
  std::string bars;
  std::string shares;
  for (size_t i = 0; i < counts.size(); ++i) {
    shares += fmt::format("{}{}", i == 0 ? "" : ", ", grouped(counts[i]));
    if (counts[i] == 0) continue;
    const double height = std::max(1.0, 24 * static_cast<double>(counts[i]) / most);
    bars += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"7\" height=\"{:.1f}\"/>", 8 * i,
                        24 - height, height);
  }
  return fmt::format(
      "<td><svg class=\"histogram\" viewBox=\"0 0 128 24\" role=\"img\" aria-label=\"{0}\">"
      "<title>{0}</title>{1}</svg></td>",
      fmt::format("counts in {} ranges: {}", counts.size(), shares), bars);
}

/// A column of the table, shown if any column of the file has the fact.
struct FactColumn {
  std::string_view title;
  std::optional<std::string> (*text)(const ColumnInfo&);
};

constexpr std::array kFacts = {
    FactColumn{"nulls", [](const ColumnInfo& column) { return grouped_or_none(column.nulls); }},
    FactColumn{"min",
               [](const ColumnInfo& column) { return bound(column.smallest, column.shortened); }},
    FactColumn{"max",
               [](const ColumnInfo& column) { return bound(column.largest, column.shortened); }},
    FactColumn{"distinct", distinct_text},
    FactColumn{"bytes", [](const ColumnInfo& column) { return grouped_or_none(column.bytes); }},
    FactColumn{"NaN", [](const ColumnInfo& column) { return grouped_or_none(column.nans); }},
    FactColumn{"kinds", kinds_text},
    FactColumn{"bytes of values",
               [](const ColumnInfo& column) { return grouped_or_none(column.value_bytes); }},
    FactColumn{"box", box_text},
    FactColumn{"geometry types", geometry_types_text},
};

constexpr std::string_view kTableStyle = R"css(
.info{border-collapse:collapse;width:100%;font-size:.9rem}
.info th,.info td{padding:.35rem .7rem;text-align:left;border-bottom:1px solid var(--rule,#d9dde4);vertical-align:top}
.info tbody th,.info code{overflow-wrap:break-word;min-width:8rem}
.info code{display:inline-block;max-width:24rem}
.info .num{white-space:nowrap}
.info .num{text-align:right;font-variant-numeric:tabular-nums}
.info thead th{position:sticky;top:0;background:var(--card,#fff)}
.info tbody th{font-weight:600}
.info .unknown{opacity:.7}
.histogram{display:block;width:8rem;height:1.5rem;fill:var(--blue,#1a5fd0)}
.wide{overflow-x:auto}
.sum b{font-weight:600;color:var(--ink,inherit)}
@media (max-width:46rem){main>p{padding:0 1rem}}
@media print{.wide{overflow:visible}.info thead th{position:static}}
)css";

}  // namespace

std::string html_table(const Info& info, std::string_view scan) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](std::string name, std::string text) {
    if (!text.empty()) facts.emplace_back(std::move(name), std::move(text));
  };
  add("format",
      info.format + (info.facts.versions.empty() ? "" : " " + joined(info.facts.versions)));
  add("rows", info.facts.rows ? grouped(*info.facts.rows) : "not recorded");
  if (info.files > 1) add("files", grouped(info.files));
  if (info.facts.bytes) add("bytes", grouped(*info.facts.bytes));
  if (!info.facts.pieces_are.empty()) {
    add(std::string(info.facts.pieces_are), grouped(info.facts.pieces));
  }
  add("compression", joined(info.facts.compression));
  add("written by", joined(info.facts.writers));
  std::string caption;
  for (const auto& [name, text] : facts) {
    caption += fmt::format("{}{} <b>{}</b>", caption.empty() ? "" : " · ", name, marked(text));
  }
  std::vector<FactColumn> shown;
  std::string titles;
  for (const FactColumn& one : kFacts) {
    const auto is_known = [&](const ColumnInfo& column) { return one.text(column).has_value(); };
    if (std::ranges::none_of(info.columns, is_known)) continue;
    shown.push_back(one);
    titles += fmt::format("<th scope=\"col\" class=\"num\">{}</th>", one.title);
  }
  const bool has_pictures = std::ranges::any_of(
      info.columns, [](const ColumnInfo& column) { return !column.histogram.counts.empty(); });
  if (has_pictures) titles += "<th scope=\"col\">histogram</th>";
  std::string out = fmt::format(
      "<p class=\"sum\">{}</p>\n<div class=\"wide\"><table class=\"info\">\n<thead><tr>"
      "<th scope=\"col\">column</th><th scope=\"col\">type</th>{}</tr></thead>\n<tbody>\n",
      caption, titles);
  for (const ColumnInfo& column : info.columns) {
    std::string cells;
    for (const FactColumn& one : shown) cells += number(one.text(column));
    if (has_pictures) cells += picture(column);
    out += fmt::format("<tr><th scope=\"row\">{}</th><td><code>{}</code></td>{}</tr>\n",
                       marked(column.path.text()), marked(column.layer), cells);
  }
  return out + fmt::format("</tbody></table></div>\n<p>{}</p>\n", marked(origin_of(info, scan)));
}

namespace {

/// A line for each of several tables.
std::string html_summary(const TableInfos& found, hub::Interface interface) {
  const std::vector<InfoSummary> lines = summary_of(found, interface);
  const bool problems =
      std::ranges::any_of(lines, [](const InfoSummary& line) { return !line.problem.empty(); });
  std::string out = fmt::format(
      "<div class=\"wide\"><table class=\"info\">\n<thead><tr><th scope=\"col\">input</th>"
      "<th scope=\"col\">format</th><th scope=\"col\" class=\"num\">rows</th>"
      "<th scope=\"col\" class=\"num\">columns</th>{}</tr></thead>\n<tbody>\n",
      problems ? "<th scope=\"col\">problem</th>" : "");
  for (const InfoSummary& line : lines) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}{}", marked(line.input),
                       marked(line.format), number(grouped_or_none(line.rows)),
                       number(grouped_or_none(line.columns)));
    if (problems) out += fmt::format("<td>{}</td>", marked(line.problem));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string html_tables(const TableInfos& found, std::string_view scan, hub::Interface interface) {
  if (found.is_one()) return html_table(found.infos.front(), scan);
  std::string out = html_summary(found, interface);
  for (const Info& info : found.infos) {
    out += fmt::format("<h2>{}</h2>\n{}", marked(info.name), html_table(info, scan));
  }
  return out;
}

std::string print_html(const TableInfos& found, std::string_view scan, hub::Interface interface,
                       const report::PageOrigin& origin) {
  const std::string title =
      found.is_one() ? found.infos.front().name : counted(found.infos.size(), "table");
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n<header><p "
      "class=\"eyebrow\">xwalk info</p>\n<h1>{3}</h1></header>\n"
      "<main>\n{4}</main>\n<footer>\n{5}</footer>\n</body>\n</html>\n",
      marked(report::short_name(title, "")), report::kPageStyle, kTableStyle,
      report::named(visible(title)), html_tables(found, scan, interface),
      report::html_origin(origin));
}

}  // namespace xwalk::io
