#pragma once

#include <span>
#include <string_view>

namespace xwalk::report {

/// More documentation of a rule: a command line that triggers it, and what that prints on both
/// outputs.
struct RulePage {
  std::string_view rule;
  std::string_view command;
  std::string_view output;
};

/// Returns the pages, sorted by rule: one for each of `crosswalk::rules()`.
std::span<const RulePage> rule_pages();

}  // namespace xwalk::report
