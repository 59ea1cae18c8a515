#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/report/html.h"
#include "xwalk/report/report.h"

// How pages of reports show names, types and dates. Not installed API.

namespace xwalk::report {

/// Returns what is compared, as a title.
std::string title_of(const Report& report);

/// Returns what is compared, with the folders, which tell tables of one name apart.
std::string whole_name(const Report& report);

/// Returns the arrow between the two sides: `→` if one becomes the other, else `↔`.
std::string_view arrow_of(const Report& report);

/// Returns a name with its folder in small letters.
std::string named(std::string_view name);

/// Returns the last part of a name, if that is enough to tell it from `other`; else the whole name.
std::string short_name(std::string_view name, std::string_view other);

/// Returns the name of a grade's colour.
std::string_view colour_of(std::string_view grade);

/// Returns a picture of the columns of a table by grade, the worst first; "" without columns.
std::string columns_bar(const std::vector<Grade>& grades, const std::vector<size_t>& columns);

/// Returns a sentence on what a rule is about.
std::string title_of_rule(std::string_view slug);

/// Returns a table of what was decided before rows were converted, and what they settle: a line for
/// each rule, of a report and its files; "" if there is nothing.
std::string html_decisions(const Report& whole);

/// Returns today in UTC: `2027-03-31`.
std::string day_of_page();

/// Returns the lines at the end of a page: the version of xwalk, the day in UTC, the command and
/// the inputs.
std::string html_origin(const PageOrigin& origin);

}  // namespace xwalk::report
