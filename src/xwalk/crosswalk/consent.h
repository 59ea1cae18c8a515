#pragma once

#include <optional>
#include <string>

#include "xwalk/base/error.h"
#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// The reason not to carry a plan out.
struct Objection {
  hub::Verdict verdict = hub::Verdict::Unsupported;
  /// The first path of that verdict.
  Path path;
  /// Why, and how many other columns cannot be converted.
  std::string message;
  std::string hint;
};

/// Returns why a plan must not move rows: a column cannot be converted, or values would be altered
/// and the user has not consented. Nothing if it may.
std::optional<Objection> objection_to(const Plan& plan, bool allow_lossy);

/// The error that values would be altered without consent.
class Refusal : public Error {
 public:
  Refusal(std::string message, Place place);
};

/// Returns the message of an error about the reason for a verdict: `values would be changed: …
/// (rule)`.
std::string objection_text(const Reason& reason, hub::Verdict verdict);

/// Refuses to alter or to leave out anything without consent. Throws Error (Unsupported) with
/// the path for what `objection_to` says, a Refusal where consent would do.
void ask_consent(const Plan& plan, bool allow_lossy);

/// Throws the same Error (Unsupported) if `plan.target` is without a column that cannot be
/// converted: this schema is not that of the source.
void require_all_columns(const Plan& plan);

}  // namespace xwalk::crosswalk
