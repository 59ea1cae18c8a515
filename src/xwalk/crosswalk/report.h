#pragma once

#include <string>
#include <string_view>

#include "xwalk/crosswalk/plan.h"

namespace xwalk::crosswalk {

struct ReportStyle {
  /// Columns of the output; types longer than fit are cut in the middle.
  int width = 80;
  bool colour = false;
  /// Exact paths too; else only what is worse, and the count of the rest.
  bool all = false;
};

/// Prints the report as aligned text: a headline, then each path with its types, verdict, rules,
/// what is lost, a witness and a hint. `name` is what is converted.
std::string print_text(const Plan& plan, std::string_view name, const ReportStyle& style = {});

/// Prints the report as JSON: `{"source", "target", "verdict", "columns", "paths": […]}`.
std::string print_json(const Plan& plan, std::string_view name);

/// Returns one line on the columns: `5 columns: 4 exact, 1 checked (date)`, naming those worse than
/// annotated, at most eight.
std::string summary(const Plan& plan);

}  // namespace xwalk::crosswalk
