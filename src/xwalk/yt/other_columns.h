#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace xwalk::yt {

/// Returns the error in the YSON map of a row's columns that are not in the schema; "" if it is
/// valid. It must be a map without attributes. A key must not repeat in it and must not be a column
/// of the schema. All formats use this function.
std::string others_fault(std::string_view map,
                         const std::function<bool(std::string_view)>& is_column);

}  // namespace xwalk::yt
