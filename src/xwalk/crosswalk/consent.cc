#include "xwalk/crosswalk/consent.h"

#include <string>

#include <fmt/format.h>

#include "xwalk/base/error.h"

namespace xwalk::crosswalk {

Plan plan_with_consent(System source, const hub::Schema& source_hub, System target,
                       const AnySchema* given, PlanOptions options, bool allow_lossy,
                       std::string_view agree) {
  if (given != nullptr && system_of(*given) != target) {
    throw Error(ErrorCode::Usage, fmt::format("expected a schema of {}, found one of {}",
                                              to_string(target), to_string(system_of(*given))));
  }
  options.rows = true;
  Plan made = given != nullptr ? plan_to(source, source_hub, *given, options)
                               : plan(source, source_hub, target, options);
  if (const auto objection = objection_to(made, allow_lossy)) {
    Place place;
    place.path = objection->path;
    throw Error(ErrorCode::Unsupported, objection->message, place,
                std::string(objection->verdict == hub::Verdict::Lossy ? agree : ""));
  }
  return made;
}

}  // namespace xwalk::crosswalk
