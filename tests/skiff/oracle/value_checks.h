#pragma once

#include <cstdint>
#include <string_view>

#include "xwalk/yson/node.h"
#include "xwalk/yt/type.h"

namespace xwalk::skiff {

// Each throws Error (Input), without a place, for a value that is not one of its type.

/// Checks integers, dates, times and intervals.
void check_range(yt::TypeKind kind, int64_t value);
void check_range(yt::TypeKind kind, uint64_t value);
/// Checks that a finite double lies within the range of float.
void check_float(double value);
/// Checks values that the system stores as strings, such as decimals and times with a zone.
void check_string(const yt::Type& type, std::string_view bytes);
/// Checks a value of a simple type or a decimal that is given as YSON.
void check_node(const yt::Type& type, const yson::Node& node);
/// Checks that a value of the type `yson` has no attributes at the top and is not `#`.
void check_any(const yson::Node& node);

}  // namespace xwalk::skiff
