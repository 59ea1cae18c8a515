#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/crosswalk/plan_result.h"
#include "xwalk/hub/finding.h"
#include "xwalk/report/acceptance.h"

// What must be decided about a conversion or a change of a schema, from the verdicts and the rows.
// Every form of a report prints this list.

namespace xwalk::report {

struct Check;
struct CompatCheck;
struct PathRows;
struct Report;

/// Whether a finding needs a decision, worst last.
enum class DecisionState : uint8_t {
  Known,    ///< no: every value is kept
  Settled,  ///< no: the rows were read, and all fit
  Decided,  ///< it was made: the finding is accepted, or an option says what happens to the rows
  Open,     ///< yes
  Fails,    ///< yes, and the report fails
};
std::string_view to_string(DecisionState state);

/// The rule of rejected rows that no finding is about.
inline constexpr std::string_view kRowsRule = "rows";

/// A finding on a path of a plan, or rejected rows.
struct Judgement {
  /// Null for rows that are rejected at a path without a finding.
  const crosswalk::PathReport* path = nullptr;
  const crosswalk::Reason* reason = nullptr;
  /// What was read of the path; null if no row was.
  const PathRows* rows = nullptr;
  /// The verdict on the path for this reason alone.
  hub::Verdict verdict = hub::Verdict::Exact;
  DecisionState state = DecisionState::Known;
  const Acceptance* accepted = nullptr;
};

/// Judges each reason of each path, in the order of the report; then rejected rows.
std::vector<Judgement> judged(const Check& check);

/// An entry of the list. Texts are safe to show.
struct Decision {
  /// `kTablePath` for the table.
  std::string path;
  /// The name of its column, "" for the table.
  std::string column;
  /// A slug of hub::rules, `kRowsRule`, the direction of `compat` or the change of `diff`.
  std::string rule;
  std::string verdict;
  DecisionState state = DecisionState::Known;
  /// Rows that are rejected at the path, and rows that were read of it.
  std::optional<uint64_t> rejected = {};
  uint64_t rows = 0;
  /// A value that would be rejected or altered, or why the first row is.
  std::string example = {};
  /// The decision, and its last day.
  std::string decided = {};
  /// It is an option that decides: what happens to rejected rows.
  bool by_option = false;

  bool is_open() const { return state >= DecisionState::Open; }
  /// Returns the evidence: `3 of 1,204 rows rejected`, `0 of 1,204 rows`; "" without rows.
  std::string evidence() const;
};

/// Says what an option decides about rejected rows.
std::string rejected_rows_text(const Check& check);

std::vector<Decision> decisions_of(const Check& check);
std::vector<Decision> decisions_of(const CompatCheck& check);

/// Names the open ones, at most eight paths: `d, l[] (checked), u (1 of 2 rows rejected)`.
std::string open_text(const std::vector<Decision>& decisions);

/// Returns path and rule of the findings that must be accepted for a report to pass, in its order.
/// Rejected rows are not among them.
std::vector<Acceptance> unaccepted(const Check& check);
std::vector<Acceptance> unaccepted(const CompatCheck& check);

}  // namespace xwalk::report
