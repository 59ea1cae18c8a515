#include "xwalk/crosswalk/consent.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/option.h"

namespace xwalk::crosswalk {

Refusal::Refusal(std::string message, Place place)
    : Error(ErrorCode::Unsupported, std::move(message), std::move(place),
            fmt::format("To accept this, add {}.", hub::mention(hub::Option::Allow, "lossy"))) {}

namespace {

/// Counts the columns with the verdict `unsupported`, of the source and of the target alone.
size_t unsupported_columns(const Plan& plan) {
  const std::vector<hub::Verdict> verdicts = plan.column_verdicts();
  return static_cast<size_t>(
      std::ranges::count(verdicts, hub::Verdict::Unsupported) +
      std::ranges::count(plan.paths.front().reasons, hub::Values::None, &Reason::values));
}

std::string_view begin_of(hub::Verdict verdict) {
  switch (verdict) {
    case hub::Verdict::Unsupported:
      return "this cannot be converted";
    case hub::Verdict::Lossy:
      return "values would be changed";
    case hub::Verdict::Exact:
    case hub::Verdict::Annotated:
    case hub::Verdict::Widened:
    case hub::Verdict::Inferred:
    case hub::Verdict::Checked:
      break;
  }
  return hub::to_string(verdict);
}

/// Returns the objection to the first column with the worst verdict.
Objection first_of(const Plan& plan, hub::Verdict worst) {
  Objection objection{worst, {}, {}, {}};
  if (worst == hub::Verdict::Unsupported && !plan.unsupported.empty()) {
    const hub::Finding& first = plan.unsupported.front();
    return {worst, first.path, first.lost, first.hint};
  }
  const auto found = std::ranges::find_if(
      plan.paths, [&](const PathReport& report) { return report.verdict() == worst; });
  objection.message = begin_of(worst);
  if (found == plan.paths.end()) return objection;
  objection.path = found->path;
  if (!found->reasons.empty()) objection.message = objection_text(found->reasons.front(), worst);
  return objection;
}

}  // namespace

std::string objection_text(const Reason& reason, hub::Verdict verdict) {
  const std::string what = reason.lost.empty() ? "see the rule" : reason.lost;
  // A column that is left out says so itself: its values do not change.
  const bool explains_itself = subject_of(reason.rule) == hub::RuleSubject::Omission;
  return fmt::format("{}{}{} ({})", explains_itself ? "" : begin_of(verdict),
                     explains_itself ? "" : ": ", what, reason.rule);
}

std::optional<Objection> objection_to(const Plan& plan, bool allow_lossy) {
  const hub::Verdict worst = plan.verdict();
  if (worst <= hub::Verdict::Checked || (worst == hub::Verdict::Lossy && allow_lossy)) {
    return std::nullopt;
  }
  Objection objection = first_of(plan, worst);
  const size_t columns = worst == hub::Verdict::Unsupported ? unsupported_columns(plan) : 1;
  if (columns > 1) {
    objection.message +=
        fmt::format("; {} more column{} cannot be converted", columns - 1, columns == 2 ? "" : "s");
  }
  return objection;
}

void ask_consent(const Plan& plan, bool allow_lossy) {
  auto objection = objection_to(plan, allow_lossy);
  if (!objection) return;
  Place place;
  place.path = objection->path;
  if (objection->verdict == hub::Verdict::Lossy) throw Refusal(objection->message, place);
  throw Error(ErrorCode::Unsupported, objection->message, place, objection->hint);
}

void require_all_columns(const Plan& plan) {
  if (!plan.unsupported.empty()) ask_consent(plan, true);
}

}  // namespace xwalk::crosswalk
