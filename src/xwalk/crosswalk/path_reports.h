#pragma once

#include <string_view>
#include <vector>

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/mapping.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// The rule of decimals whose nan and infinities the target cannot store.
inline constexpr std::string_view kSpecialValues = "decimal.special-values";

/// Two schemas, and the findings about the conversion from one to the other.
struct Way {
  const hub::Schema& source;
  const hub::Schema& target;
  /// The target's schema as its reader sees it without annotations, if it restores types from them.
  const hub::Schema* unnoted;
  const hub::Findings& of_cast;
  const hub::Findings& of_module;
  const hub::Findings& of_rules;
};

/// Returns the report of every path of `way.source`. `refused` gets its columns that the source's
/// own system, whose files can have them, cannot hold, there or on the way back; then there is no
/// report.
std::vector<PathReport> reports_on(const Plan& plan, const Way& way, const PlanOptions& options,
                                   hub::Refused* refused);

/// Returns the source's schema as it comes back from a target's hub schema, with or without the
/// annotations in it; the type axis is read from it. `refused` gets what the source's system cannot
/// hold; throws the first if it is null.
hub::Schema schema_back(System source, const hub::Schema& target_hub, bool annotations,
                        hub::Refused* refused = nullptr);

/// Adds a finding about the values of a path to its report, if the plan has the path.
void add_of_path(const hub::Finding& finding, Plan* plan);

/// Adds the findings about the table as a whole to its report, with what they do to its values.
void add_of_table(const hub::Findings& findings, Plan* plan);

}  // namespace xwalk::crosswalk
