#include "xwalk/crosswalk/report_html_names.h"

#include <chrono>

#include <fmt/format.h>

#include "xwalk/base/time_text.h"
#include "xwalk/crosswalk/markup.h"
#include "xwalk/version.h"

namespace xwalk::crosswalk {
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
  if (report.is_set()) return left;
  if (report.kind == "check") return fmt::format("{} → {}", left, report.right_system);
  return fmt::format("{} {} {}", left, arrow_of(report),
                     report.right_name.substr(base_of(report.right_name)));
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

std::string html_origin(const PageOrigin& origin) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const CivilDate date =
      civil_from_days(std::chrono::duration_cast<std::chrono::days>(now).count());
  std::string out = fmt::format("<p class=\"fine\">xwalk {}, {:04}-{:02}-{:02}", XWALK_VERSION,
                                date.year, date.month, date.day);
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

}  // namespace xwalk::crosswalk
