#include "xwalk/report/reason_paths.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "xwalk/base/path.h"

namespace xwalk::report {
namespace {

/// Converts a path of YTsaurus's messages to the steps of report paths.
std::string in_steps(std::string path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSteps = {
      {{".<optional-element>", ""},
       {".<tagged-element>", ""},
       {".<list-element>", "[]"},
       {".<key>", "{key}"},
       {".<value>", "{value}"}}};
  for (const auto& [theirs, ours] : kSteps) {
    for (size_t at = 0; (at = path.find(theirs, at)) != std::string::npos; at += ours.size()) {
      path.replace(at, theirs.size(), ours);
    }
  }
  // Members without a name are called by their number.
  for (const std::string_view theirs : {".<tuple-element-", ".<variant-element-"}) {
    for (size_t at = 0; (at = path.find(theirs, at)) != std::string::npos; ++at) {
      path.replace(at, theirs.size(), ".");
      path.erase(std::min(path.find('>', at), path.size()), 1);
    }
  }
  return path;
}

/// Returns a path with its alternatives as fields: `v.a.b` for `v<a>.b`.
std::string without_brackets(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c != '>') out += c == '<' ? '.' : c;
  }
  return out;
}

}  // namespace

ReasonPaths::ReasonPaths(const std::vector<ReportLine>& lines, const hub::Schema& left,
                         const hub::Schema& right) {
  for (const hub::Schema* schema : {&left, &right}) {
    for (const hub::Field& field : schema->fields) {
      std::string path = Path::column(field.name).text();
      if (path != field.name) quoted_.emplace(field.name, std::move(path));
    }
  }
  // An alternative is written as a field.
  for (const ReportLine& line : lines) {
    std::string written = without_brackets(line.path());
    if (written != line.path()) alternatives_.emplace(std::move(written), line.path());
  }
}

std::string ReasonPaths::of(const std::string& reason_path) const {
  std::string path = in_steps(reason_path);
  // The longest name first: one name may begin with another and a dot.
  for (auto name = quoted_.rbegin(); name != quoted_.rend(); ++name) {
    const size_t size = name->first.size();
    const bool is_column =
        path.starts_with(name->first) &&
        (path.size() == size || std::string_view(".[{<").find(path[size]) != std::string::npos);
    if (!is_column) continue;
    path.replace(0, size, name->second);
    break;
  }
  const auto found = alternatives_.find(path);
  return found == alternatives_.end() ? path : found->second;
}

}  // namespace xwalk::report
