#include "xwalk/convert/table_infos.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "xwalk/base/nlohmann_json.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"
#include "xwalk/convert/info_html.h"
#include "xwalk/convert/tables.h"

namespace xwalk::io {

TableInfos table_infos(const Locations& names, const InfoOptions& options) {
  TableInfos out;
  std::exception_ptr failed;
  try {
    out.infos.push_back(info(names, options));
    return out;
  } catch (const Error& error) {
    if (!is_about_input(error) || std::ranges::any_of(names, &Location::is_standard)) throw;
    failed = std::current_exception();
  }
  InputTables found = read_tables(names, options.system, options.input);
  found.forget_differences();
  // The names stand for one table, and the error is about its rows.
  if (found.is_one()) std::rethrow_exception(failed);
  out.problems = std::move(found.problems);
  out.errors = std::move(found.errors);
  for (const InputTable& table : found.tables) {
    try {
      out.infos.push_back(info(table.paths, options));
    } catch (const Error& error) {
      if (!is_about_input(error)) throw;
      out.problems.push_back(problem_of(table.name, error));
      out.errors.push_back(error);
    }
  }
  if (out.infos.empty()) throw Error(out.errors.front());
  return out;
}

std::vector<InfoSummary> summary_of(const TableInfos& found, hub::Interface interface) {
  std::vector<InfoSummary> out;
  for (const Info& info : found.infos) {
    const auto columns = std::ranges::count_if(
        info.columns, [](const ColumnInfo& column) { return column.path.size() == 1; });
    out.push_back({info.name, info.format, info.facts.rows, static_cast<uint64_t>(columns),
                   info.files, info.facts.bytes, std::string()});
  }
  for (const report::Problem& problem : spelled(found.problems, interface)) {
    const std::string subject = shown_name(problem.subject);
    const auto line = std::ranges::find(out, subject, &InfoSummary::input);
    InfoSummary& its = line == out.end() ? out.emplace_back() : *line;
    its.input = subject;
    its.problem += (its.problem.empty() ? "" : "; ") + shown_text(problem.whole());
  }
  return out;
}

std::string print_json(const TableInfos& found, hub::Interface interface) {
  using Json = nlohmann::ordered_json;
  if (found.is_one()) return print_json(found.infos.front());
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json out = {{"summary", Json::array()}, {"tables", Json::array()}, {"problems", Json::array()}};
  for (const InfoSummary& line : summary_of(found, interface)) {
    out["summary"].push_back(
        {{"input", line.input},
         {"format", line.format.empty() ? Json(nullptr) : Json(line.format)},
         {"rows", or_null(line.rows)},
         {"columns", or_null(line.columns)},
         {"problem", line.problem.empty() ? Json(nullptr) : Json(line.problem)}});
  }
  for (const Info& info : found.infos) out["tables"].push_back(Json::parse(print_json(info)));
  for (const report::Problem& problem : spelled(found.problems, interface)) {
    out["problems"].push_back({{"problem", problem.kind},
                               {"subject", shown_name(problem.subject)},
                               {"text", shown_text(problem.whole())}});
  }
  return visible_json(out.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace xwalk::io
