#pragma once

#include <string>
#include <string_view>

#include "xwalk/yson/node.h"

namespace xwalk::yt {

/// Returns a YSON tree as JSON, two spaces a level: attributes as {"$attributes": …, "$value": …}.
/// Throws Error (Unsupported) for a string that is not UTF-8.
std::string to_json(const yson::Node& node);

/// Parses JSON into a YSON tree; numbers without a fraction are int64, beyond it uint64. Throws
/// Error (Input) with line and column.
yson::Node from_json(std::string_view text);

/// Returns true if the text begins like JSON and not like YSON: a key is followed by a colon.
bool looks_like_json(std::string_view text);

}  // namespace xwalk::yt
