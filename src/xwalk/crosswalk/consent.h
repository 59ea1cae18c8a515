#pragma once

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/plan.h"

namespace xwalk::crosswalk {

/// Says that values would be altered, without consent.
class Refusal : public Error {
 public:
  Refusal(std::string message, Place place);
};

/// Refuses to alter or to leave out anything without consent. Throws Error (Unsupported) with
/// the path for what `objection_to` says, a Refusal where consent would do.
void ask_consent(const Plan& plan, bool allow_lossy);

}  // namespace xwalk::crosswalk
