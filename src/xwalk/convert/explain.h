#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"
#include "xwalk/report/rule_pages.h"

namespace xwalk::io {

/// The documentation of a rule or a verdict of a report, or of an option of a conversion.
struct Explanation {
  std::string word;
  bool is_option = false;
  std::string meaning;
  std::string advice;
  /// An example of a rule; null for verdicts and options.
  const report::RulePage* example = nullptr;
};

/// Returns the documentation of a rule.
Explanation explain(const hub::Rule& rule, hub::Interface interface);
/// Returns the documentation of a rule, a verdict, or an option in any spelling; nothing for other
/// words.
std::optional<Explanation> explain(std::string_view word, hub::Interface interface);

/// Returns the names of all rules and verdicts.
std::vector<std::string> explained_names();
/// Suggests the names with a part that equals a word: `range` is a part of `range.narrowed`.
/// Returns "" if no word has it.
std::string names_with_part(const std::string& part, const std::vector<std::string>& names);

}  // namespace xwalk::io
