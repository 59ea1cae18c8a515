#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xwalk::report {

/// Findings of reports that the user accepts.
struct Acceptance {
  /// As the report writes it, `kTablePath` for the table; or a pattern, see `is_path_like`.
  std::string path;
  /// The rule, of `compat` the direction; or a pattern with `*` and `?`.
  std::string rule;
  std::string reason;
  /// The last day on which it counts, `2027-03-31`.
  std::string expires;
};

/// How reports write the path of the table.
inline constexpr std::string_view kTablePath = "(table)";

/// Returns true if a path of a report matches a pattern: `*` and `?` match within a name, `**` as a
/// step matches any steps, also none: `orders.**`. Before a name, `[]` may be omitted. Names in
/// quotes are literal. Only `**` also matches the table.
bool is_path_like(std::string_view path, std::string_view pattern);

/// Returns true if the name of a table matches a pattern: `*` and `?` match within a step between
/// two `/`, `**` as a step matches any steps, also none.
bool is_table_like(std::string_view name, std::string_view pattern);

/// Returns the first acceptance of a finding, or null if it is not accepted.
const Acceptance* accepted(const std::vector<Acceptance>& all, std::string_view path,
                           std::string_view rule);

/// Returns the text printed after an accepted finding: `accepted until 2027-03-31: reason`.
std::string acceptance_text(const Acceptance& acceptance);

}  // namespace xwalk::report
