#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xwalk::yt {

/// The day as of which the numbers are those of YTsaurus: what has come later has none here.
inline constexpr std::string_view kZoneNumbersDate = "2026-08-22";

/// Returns the time zone for a number in the newer form of the types with a zone; "" if it means
/// none of the IANA names.
std::string_view zone_of_number(uint16_t number);

/// Returns the number of a time zone, if the newer form has one for it.
std::optional<uint16_t> number_of_zone(std::string_view name);

/// Returns the message for a zone that has a name but no number.
std::string fault_of_number(std::string_view name);

}  // namespace xwalk::yt
