#include "xwalk/crosswalk/type_table.h"

#include <algorithm>

#include "xwalk/crosswalk/plan.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/module.h"

namespace xwalk::crosswalk {
namespace {

TypeCell cell_of(System from, std::string_view type, System to) {
  TypeCell cell{from, to, std::string(type), {}, hub::Verdict::Unsupported, {}};
  const Plan planned = plan(parse_type(from, type), to);
  if (!planned.unsupported.empty()) {
    cell.target = planned.unsupported.front().lost;
  } else if (!planned.target_hub.fields.empty()) {
    cell.target = to->type_text(planned.target);
  }
  cell.verdict = planned.verdict();
  for (const PathReport& report : planned.paths) {
    for (const Reason& reason : report.reasons) {
      if (std::ranges::find(cell.rules, reason.rule) == cell.rules.end()) {
        cell.rules.emplace_back(reason.rule);
      }
    }
  }
  return cell;
}

std::vector<System> one_or_all(std::optional<System> system) {
  if (system) return {*system};
  return {systems().begin(), systems().end()};
}

}  // namespace

std::vector<TypeCell> type_table(std::optional<System> from, std::optional<System> to) {
  std::vector<TypeCell> cells;
  for (const System source : one_or_all(from)) {
    for (const System target : one_or_all(to)) {
      if (source == target && !(from && to)) continue;
      for (const std::string_view type : source->kinds()) {
        cells.push_back(cell_of(source, type, target));
      }
    }
  }
  return cells;
}

}  // namespace xwalk::crosswalk
