#pragma once

#include <span>
#include <string_view>

#include "xwalk/crosswalk/rooms.h"

namespace xwalk::crosswalk {

/// Returns one type of every kind that a system has, in its own words, for `parse_type`: what the
/// complete type table is made of.
std::span<const std::string_view> kinds(System system);

}  // namespace xwalk::crosswalk
