#include "xwalk/crosswalk/plan_result.h"

#include <algorithm>

namespace xwalk::crosswalk {

hub::Verdict Plan::verdict() const {
  hub::Verdict worst = hub::Verdict::Exact;
  for (const PathReport& report : paths) worst = std::max(worst, report.verdict());
  return worst;
}

std::vector<hub::Verdict> Plan::column_verdicts() const {
  std::vector<hub::Verdict> verdicts;
  for (const PathReport& report : paths) {
    if (report.path.empty()) continue;
    if (report.path.size() == 1) verdicts.push_back(hub::Verdict::Exact);
    verdicts.back() = std::max(verdicts.back(), report.verdict());
  }
  return verdicts;
}

}  // namespace xwalk::crosswalk
