#pragma once

#include <string>

#include "xwalk/report/report_set.h"

namespace xwalk::report {

struct ReportStyle {
  /// Columns of the output.
  int width = 80;
  /// Cuts types and values that do not fit, so that every row is one line of that width.
  bool clips = true;
  bool colour = false;
  /// Also lines without statements; otherwise only the worse ones, and the count of the rest.
  bool all = false;
  /// Prints only reports that fail.
  bool failures_only = false;
  /// Of several reports, prints also those that pass in full.
  bool in_full = false;
};

/// Returns the word of a verdict, in its colour if wanted: one for each, in all that is shown.
std::string painted(hub::Verdict verdict, bool colour);

/// Prints a report as aligned text: a headline, then each path with its types, verdict, rules, what
/// is lost, an example and a hint.
std::string print_text(const Check& check, const ReportStyle& style = {});
/// Prints the differences: a headline, then `+` added, `-` removed, `~` changed paths, each with
/// what it was and is.
std::string print_text(const DiffCheck& check, const ReportStyle& style = {});
/// Values side by side, as wide as the style says.
std::string print_text(const RowDiff& diff, const ReportStyle& style = {});
/// Prints the answer and the reasons.
std::string print_text(const CompatCheck& check, const ReportStyle& style = {});
/// Prints how many fail, then the reports that fail, what is out of date, and a line for each of
/// the others that needs a decision.
std::string print_text(const ReportSet& set, const ReportStyle& style = {});

}  // namespace xwalk::report
