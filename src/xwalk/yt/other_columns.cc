#include "xwalk/yt/other_columns.h"

#include <unordered_set>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/node.h"
#include "xwalk/yson/parse.h"

namespace xwalk::yt {

std::string others_fault(std::string_view map,
                         const std::function<bool(std::string_view)>& is_column) {
  if (map.empty() || map == "{}") return "";
  yson::Node node;
  try {
    node = yson::parse(map);
  } catch (const Error&) {
    // Reported below, like any other value that is not a map.
  }
  if (!node.is(yson::Node::Kind::Map) || node.has_attributes()) {
    return "expected a YSON map of further columns, found " + clipped(map);
  }
  std::unordered_set<std::string_view> seen;
  for (const auto& [key, value] : node.as_map()) {
    if (is_column(key) || !seen.insert(key).second) {
      return fmt::format("expected column {} once, found it twice", quoted(key));
    }
  }
  return "";
}

}  // namespace xwalk::yt
