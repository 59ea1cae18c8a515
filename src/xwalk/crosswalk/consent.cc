#include "xwalk/crosswalk/consent.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "xwalk/hub/option.h"

namespace xwalk::crosswalk {

Refusal::Refusal(std::string message, Place place)
    : Error(ErrorCode::Unsupported, std::move(message), std::move(place),
            fmt::format("To accept this, add {}.", hub::mention(hub::Option::Allow, "lossy"))) {}

void ask_consent(const Plan& plan, bool allow_lossy) {
  const auto objection = objection_to(plan, allow_lossy);
  if (!objection) return;
  Place place;
  place.path = objection->path;
  if (objection->verdict == hub::Verdict::Lossy) throw Refusal(objection->message, place);
  throw Error(ErrorCode::Unsupported, objection->message, place);
}

}  // namespace xwalk::crosswalk
