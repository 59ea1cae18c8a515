#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace xwalk::yt {

/// Says what is wrong with the map of the columns that a row has beside those of its schema, in
/// YSON; "" for nothing. It is a map without attributes, each of whose keys stands once in the row:
/// none twice in the map, and none that is a column. The one place that decides, whatever rows come
/// from or go to.
std::string others_fault(std::string_view map,
                         const std::function<bool(std::string_view)>& is_column);

}  // namespace xwalk::yt
