#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/skiff/type.h"
#include "xwalk/yson/node.h"
#include "xwalk/yt/type.h"

namespace xwalk::skiff {

/// What a value of a logical type may be. Each throws Error (Input) without a place.

/// Integers, dates, times and intervals.
void check_range(yt::TypeKind kind, int64_t value);
void check_range(yt::TypeKind kind, uint64_t value);
/// A finite double must lie within the range of float.
void check_float(double value);
/// string, utf8, json, uuid, decimals and the types with a time zone, as the system stores them.
/// Returns the stored form of a time and the number of its zone (`tuple<int;uint16>`): with the
/// zone's name, or with the number if it is invalid, so that it is refused.
std::string stored_zone(yt::TypeKind kind, const char* bytes);
/// Returns the way back, or "" for a zone without a number.
std::string wire_zone(yt::TypeKind kind, std::string_view stored);

void check_string(const yt::Type& type, std::string_view bytes);
/// A value of a simple type or a decimal, given as YSON.
void check_node(const yt::Type& type, const yson::Node& node);
/// A value of the type `yson`: no attributes at the top, not `#`.
void check_any(const yson::Node& node);

bool fits_wire(WireType wire, int64_t value);
bool fits_wire(WireType wire, uint64_t value);

}  // namespace xwalk::skiff
