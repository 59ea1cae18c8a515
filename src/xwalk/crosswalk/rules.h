#pragma once

#include <string_view>
#include <vector>

#include "xwalk/hub/finding.h"

namespace xwalk::crosswalk {

/// Returns the rules of all findings, sorted by slug: those of the hub, of every system and of
/// plans.
const std::vector<hub::Rule>& rules();
/// Returns the rule with a slug, or null.
const hub::Rule* rule_of(std::string_view slug);
/// Returns what a rule is about; `Type` for an unknown slug.
hub::RuleSubject subject_of(std::string_view slug);

}  // namespace xwalk::crosswalk
