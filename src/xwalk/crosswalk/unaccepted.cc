#include "xwalk/crosswalk/unaccepted.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace xwalk::crosswalk {
namespace {

Acceptance finding_at(const std::string& path, std::string_view rule) {
  return {path.empty() ? std::string(kTablePath) : path, std::string(rule), "", ""};
}

}  // namespace

hub::Verdict open_verdict(const Check& check, const PathReport& path) {
  const std::string text = path.path.text();
  auto values = hub::Values::Kept;
  bool label_lost = false;
  size_t left = 0;
  for (const Reason& reason : path.reasons) {
    if (accepted(check.accepted, text, reason.rule) != nullptr) continue;
    values = std::max(values, reason.values);
    label_lost = label_lost || !reason.label.empty();
    ++left;
  }
  if (left == path.reasons.size()) return path.verdict();
  // The type counts as long as one of its reasons is open.
  return hub::verdict_of(values, left > 0 ? path.type : hub::TypeKept::Self, label_lost);
}

std::vector<Acceptance> unaccepted(const Check& check) {
  std::vector<Acceptance> out;
  for (const PathReport& path : check.plan->paths) {
    if (open_verdict(check, path) < check.fail_on) continue;
    const std::string text = path.path.text();
    std::vector<Acceptance> all;
    std::vector<Acceptance> failing;
    for (const Reason& reason : path.reasons) {
      if (accepted(check.accepted, text, reason.rule) != nullptr) continue;
      all.push_back(finding_at(text, reason.rule));
      const hub::Verdict own =
          hub::verdict_of(reason.values, hub::TypeKept::Self, !reason.label.empty());
      if (own >= check.fail_on) failing.push_back(all.back());
    }
    // The type fails as long as one of its reasons is not accepted.
    const bool type_fails =
        hub::verdict_of(hub::Values::Kept, path.type, false) >= check.fail_on || failing.empty();
    std::ranges::move(type_fails ? all : failing, std::back_inserter(out));
  }
  return out;
}

std::vector<Acceptance> unaccepted(const CompatCheck& check) {
  std::vector<Acceptance> out;
  for (const CompatReason& reason : check.compat->reasons) {
    if (reason.answer == yt::Compatibility::FullyCompatible) continue;
    if (accepted(check.accepted, reason.path, reason.direction) != nullptr) continue;
    out.push_back(finding_at(reason.path, reason.direction));
  }
  return out;
}

}  // namespace xwalk::crosswalk
