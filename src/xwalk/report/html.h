#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/report/report.h"

namespace xwalk::report {

/// An input that a page names. Sizes that are not known are left out.
struct PageInput {
  std::string name;
  std::optional<uint64_t> bytes;
  std::optional<uint64_t> rows;
};

/// What a page was made from. All texts are safe to show (`visible`).
struct PageOrigin {
  /// The command line, or "" if another program called the library.
  std::string command;
  std::vector<PageInput> inputs;
  /// Title and owner of the page for management; "" for those of the reports.
  std::string title = {};
  std::string owner = {};
};

/// Prints a report as one self-contained HTML page: a headline, then the columns of both schemas
/// side by side, the worst first. Columns that are alike share a line. Differences of rows have
/// tables of their own. The page states the version of xwalk, the day and `origin`. It filters by
/// verdict without scripts; one script adds search. Names and values are shown as text, and the
/// page's policy forbids every other script and every request.
std::string print_html(const Report& report, const PageOrigin& origin = {});

}  // namespace xwalk::report
