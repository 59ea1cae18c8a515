#pragma once

#include <span>
#include <string_view>

namespace xwalk {

/// Returns true for a name of the IANA time zone database, as shipped with this version of xwalk.
/// Case matters.
bool is_zone_name(std::string_view name);

/// Returns every name, sorted by bytes.
std::span<const std::string_view> zone_names();

}  // namespace xwalk
