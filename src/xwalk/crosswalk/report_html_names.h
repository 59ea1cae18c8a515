#pragma once

#include <string>
#include <string_view>

#include "xwalk/crosswalk/report.h"
#include "xwalk/crosswalk/report_html.h"

// How pages of reports show names, types and dates. Not installed API.

namespace xwalk::crosswalk {

/// Returns what is compared, as a title.
std::string title_of(const Report& report);

/// Returns the arrow between the two sides: `→` if one becomes the other, else `↔`.
std::string_view arrow_of(const Report& report);

/// Returns a name with its folder in small letters.
std::string named(std::string_view name);

/// Returns the last part of a name, if that is enough to tell it from `other`; else the whole name.
std::string short_name(std::string_view name, std::string_view other);

/// Returns the lines at the end of a page: the version of xwalk, the day in UTC, the command and
/// the inputs.
std::string html_origin(const PageOrigin& origin);

}  // namespace xwalk::crosswalk
