#include "xwalk/python/reading_report.h"

#include <algorithm>
#include <unordered_map>
#include <variant>

#include "xwalk/base/error.h"
#include "xwalk/convert/facade.h"

namespace xwalk::python {
namespace {

using crosswalk::PathReport;
using crosswalk::Reason;

const report::Check& check_of(const Report& report) {
  if (const auto* found = std::get_if<report::Check>(&report.found())) return *found;
  throw Error(ErrorCode::Usage, "expected the report of a conversion, found another");
}

bool is_changed(const PathReport& path) {
  return path.values != hub::Values::Kept || path.type > hub::TypeKept::Noted ||
         !path.labels.empty();
}

/// Returns the path in another column.
Path moved(const Path& path, const std::string& column) {
  Path out = Path::column(column);
  const std::vector<const Path::Step*> steps = path.steps();
  for (size_t i = 1; i < steps.size(); ++i) out = out.below(*steps[i]);
  return out;
}

void add(const PathReport& read, PathReport* written) {
  written->values = std::max(written->values, read.values);
  written->type = std::max(written->type, read.type);
  for (const std::string& label : read.labels) {
    if (std::ranges::find(written->labels, label) == written->labels.end()) {
      written->labels.push_back(label);
    }
  }
  written->reasons.insert(written->reasons.begin(), read.reasons.begin(), read.reasons.end());
  std::ranges::stable_sort(written->reasons, std::ranges::greater(), &Reason::values);
}

}  // namespace

std::optional<Report> changes_of_reading(const Report& reading, const std::string& column,
                                         bool is_restored) {
  std::vector<PathReport> changed;
  for (PathReport path : check_of(reading).plan->paths) {
    if (path.path.empty() || path.path.steps().front()->name != column) continue;
    if (is_restored) {
      path.type = hub::TypeKept::Self;
      path.labels.clear();
      std::erase_if(path.reasons,
                    [](const Reason& reason) { return reason.values == hub::Values::Kept; });
    }
    if (is_changed(path)) changed.push_back(std::move(path));
  }
  if (changed.empty()) return std::nullopt;
  crosswalk::Plan plan = {.target = {},
                          .source_hub = {},
                          .target_hub = {},
                          .cast = hub::CompiledCast(nullptr),
                          .paths = std::move(changed)};
  return io::report_on(std::make_shared<const crosswalk::Plan>(std::move(plan)),
                       check_of(reading).name, hub::Interface::Python);
}

Report after_reading(const Report& writing,
                     const std::vector<std::pair<std::string, const Report*>>& readings) {
  report::Check check = check_of(writing);
  auto plan = std::make_shared<crosswalk::Plan>(*check.plan);
  check.plan = plan.get();
  std::vector<PathReport>& paths = plan->paths;
  std::unordered_map<Path, size_t, Path::Hash> places;
  for (size_t i = 0; i < paths.size(); ++i) places.emplace(paths[i].path, i);
  for (const auto& [column, reading] : readings) {
    for (const PathReport& read : check_of(*reading).plan->paths) {
      // A union is a struct in a host, so its alternatives may have no path there.
      Path path = moved(read.path, column);
      while (!path.empty() && !places.contains(path)) path = path.parent();
      const auto place = places.find(path);
      if (place == places.end()) continue;
      PathReport& written = paths[place->second];
      if (path.size() == read.path.size()) written.source = read.source;
      add(read, &written);
    }
  }
  return {std::move(check), {.owner = std::move(plan)}};
}

}  // namespace xwalk::python
