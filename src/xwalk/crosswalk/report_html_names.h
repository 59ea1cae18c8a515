#pragma once

#include <string>
#include <string_view>

#include "xwalk/crosswalk/report.h"

// How pages of reports show names, types and dates. Not installed API.

namespace xwalk::crosswalk {

/// Returns what is compared, as a title.
std::string title_of(const Report& report);

/// Returns a name with its folder in small letters.
std::string named(std::string_view name);

/// Returns the day, in UTC.
std::string today();

/// Returns a type of Parquet's syntax without the name of its field, which has its own column:
/// `optional int64 (TIMESTAMP(MICROS,true))`.
std::string without_field_name(std::string_view system, std::string_view type);

}  // namespace xwalk::crosswalk
