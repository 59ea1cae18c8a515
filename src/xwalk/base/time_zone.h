#pragma once

#include <string_view>

namespace xwalk {

/// Returns true for an offset from UTC: a sign and hh, hhmm or hh:mm.
bool is_utc_offset(std::string_view zone);

/// Returns true for what a column of instants may have as its zone: a name of the IANA database or
/// an offset from UTC. Systems store any text, and readers fail on what this does not take.
bool is_time_zone(std::string_view zone);

}  // namespace xwalk
