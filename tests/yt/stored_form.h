#pragma once

#include "xwalk/yson/node.h"
#include "xwalk/yt/type.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::yt {

/// Throws Error (Input) with the path unless a value in the stored form (positional, everything
/// binary) is one of the type: kinds without any coercion, ranges, UTF-8, JSON, decimals, zones.
void validate_value(const Type& type, const yson::Node& stored);

/// Turns one value as a format with these options gives it into the stored form, and validates it.
/// Forms that positional mode leaves open stay as they are: a struct cut short stays cut short.
/// Throws Error (Input) with the path.
yson::Node to_stored(const Type& type, const yson::Node& value, const ValueOptions& options);

/// Turns a stored value into the form that a format with these options gives, after validating it.
yson::Node from_stored(const Type& type, const yson::Node& stored, const ValueOptions& options);

}  // namespace xwalk::yt
