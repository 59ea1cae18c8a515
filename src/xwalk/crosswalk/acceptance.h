#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xwalk::crosswalk {

/// A finding of a report that somebody has agreed to.
struct Acceptance {
  /// As the report writes it; `kTablePath` for the table.
  std::string path;
  /// The rule; of `compat`, the direction.
  std::string rule;
  std::string reason;
  /// The last day on which it counts, `2027-03-31`.
  std::string expires;
};

/// How reports write the path of the table.
inline constexpr std::string_view kTablePath = "(table)";

/// Returns the acceptance of a finding; null where nobody has agreed to it.
const Acceptance* accepted(const std::vector<Acceptance>& all, std::string_view path,
                           std::string_view rule);

/// Returns the text printed after an accepted finding: `accepted until 2027-03-31: reason`.
std::string words_of(const Acceptance& acceptance);

}  // namespace xwalk::crosswalk
