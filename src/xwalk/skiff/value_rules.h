#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/skiff/type.h"
#include "xwalk/yt/type.h"

namespace xwalk::skiff {

/// Returns the stored form of a time and the number of its zone (`tuple<int;uint16>`): with the
/// zone's name, or with the number if it is invalid, so that it is rejected.
std::string stored_zone(yt::TypeKind kind, const char* bytes);
/// Returns the way back, or "" for a zone without a number.
std::string wire_zone(yt::TypeKind kind, std::string_view stored);

/// Returns true if a wire type has the value.
bool fits_wire(WireType wire, int64_t value);
bool fits_wire(WireType wire, uint64_t value);

}  // namespace xwalk::skiff
