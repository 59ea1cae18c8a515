#include "xwalk/report/rows_html.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/report/html_names.h"
#include "xwalk/report/markup.h"
#include "xwalk/report/report.h"

namespace xwalk::report {
namespace {

std::string marked(std::string_view text) { return shown_markup(visible(text)); }

std::string value_markup(std::string_view text) {
  return text.empty() ? "" : fmt::format("<code>{}</code>", marked(text));
}

std::string percent(double share) {
  // Never 0 % or 100 % of what is neither none nor all.
  const double shown = share >= 1 ? 100 : std::clamp(share * 100, 0.1, 99.9);
  return fmt::format("{:.{}f} %", shown, shown == 100 ? 0 : 1);
}

template <typename... Args>
void add(std::string* out, fmt::format_string<Args...> form, Args&&... args) {
  fmt::format_to(std::back_inserter(*out), form, std::forward<Args>(args)...);
}

constexpr std::string_view kCountHeads =
    "<thead><tr><th scope=\"col\">Column</th><th scope=\"col\" class=\"count\">Rows</th>"
    "<th scope=\"col\">Share</th></tr></thead>\n<tbody>\n";

/// As many columns are shown before the reader opens the others.
constexpr size_t kOpenColumns = 50;

/// How many of the rows that both tables have differ, per column.
void append_counts(const RowDiff& diff, std::string* out) {
  if (diff.counts.empty()) return;
  const uint64_t pairs =
      std::max<uint64_t>(diff.left_rows - std::min(diff.left_rows, diff.removed), 1);
  std::vector<crosswalk::ColumnCount> counts = diff.counts;
  std::ranges::stable_sort(counts, std::ranges::greater(), &crosswalk::ColumnCount::rows);
  add(out,
      "<table class=\"rows bars\"><caption>Columns that differ, of {} in both tables</caption>\n"
      "{}",
      counted(pairs, "row"), kCountHeads);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (i == kOpenColumns) {
      add(out, "</tbody></table>\n<details><summary>{}</summary>\n<table class=\"rows bars\">{}",
          counted(counts.size() - i, "more column"), kCountHeads);
    }
    const crosswalk::ColumnCount& column = counts[i];
    const double share = static_cast<double>(column.rows) / static_cast<double>(pairs);
    const std::string text = percent(share);
    add(out,
        "<tr><th scope=\"row\"><bdi>{}</bdi></th><td class=\"count\">{}</td><td><span "
        "class=\"part\"><i style=\"width:{:.1f}%\"></i></span> {}</td></tr>\n",
        marked(column.name), grouped(column.rows), std::min(share, 1.0) * 100, text);
  }
  *out += counts.size() > kOpenColumns ? "</tbody></table></details>\n" : "</tbody></table>\n";
}

void append_columns(const RowDiff& diff, std::string_view heads, std::string* out) {
  if (diff.columns.empty()) return;
  add(out,
      "<table class=\"rows\"><caption>Columns that are not compared</caption>\n<thead><tr><th "
      "scope=\"col\">Column</th>{}<th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
      heads);
  for (const crosswalk::ColumnDifference& column : diff.columns) {
    const bool alone = column.left.empty() || column.right.empty();
    add(out, "<tr><th scope=\"row\"><bdi>{}</bdi></th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        marked(column.path), value_markup(column.left), value_markup(column.right),
        alone ? "only one table has it" : "no type holds the values of both");
  }
  *out += "</tbody></table>\n";
}

/// The first differences, those of one row after each other.
void append_first(const RowDiff& diff, std::string_view heads, std::string* out) {
  if (diff.first.empty()) return;
  const bool has_key = !diff.key.empty();
  add(out,
      "<table class=\"rows\"><caption>The first {}</caption>\n<thead><tr><th scope=\"col\" "
      "class=\"count\">Row</th>{}<th scope=\"col\">Column</th>{}</tr></thead>\n<tbody>\n",
      diff.first.size() == 1 ? "difference" : counted(diff.first.size(), "difference"),
      has_key ? fmt::format("<th scope=\"col\">{}</th>", marked(join(diff.key, ", "))) : "", heads);
  std::string before;
  for (const crosswalk::RowDifference& found : diff.first) {
    const std::string place = place_of(found) + " " + found.key;
    const bool same = place == before;
    before = place;
    add(out, "<tr class=\"{}{}\"><th scope=\"row\" class=\"count\">{}</th>",
        to_string(found.change), same ? " again" : "", place_of(found));
    if (has_key) add(out, "<td>{}</td>", value_markup(found.key));
    add(out, "<td>{}</td><td>{}</td><td>{}</td></tr>\n",
        found.path.empty() ? fmt::format("<em>row {}</em>", to_string(found.change))
                           : fmt::format("<bdi>{}</bdi>", marked(found.path)),
        value_markup(found.left), value_markup(found.right));
  }
  *out += "</tbody></table>\n";
}

}  // namespace

void append_rows(const RowDiff& diff, std::string* out) {
  const std::string left = shown_name(diff.left_name);
  const std::string right = shown_name(diff.right_name);
  const std::string heads =
      fmt::format("<th scope=\"col\"><bdi>{}</bdi></th><th scope=\"col\"><bdi>{}</bdi></th>",
                  marked(short_name(left, right)), marked(short_name(right, left)));
  add(out, "<p class=\"note\">{} and {}; rows are matched by {}.</p>\n<div class=\"wide\">\n",
      counted(diff.left_rows, "row"), counted(diff.right_rows, "row"),
      diff.key.empty() ? "position" : marked(join(diff.key, ", ")));
  append_counts(diff, out);
  append_columns(diff, heads, out);
  append_first(diff, heads, out);
  *out += "</div>\n";
}

}  // namespace xwalk::report
