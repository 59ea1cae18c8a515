#pragma once

#include <string>

#include "xwalk/yson/node.h"
#include "xwalk/yt/type.h"

namespace xwalk::yt {

/// Parses a `type_v3` node: a name or a map. Unknown keys are ignored, as the system does. Throws
/// Error (Input) with the place in the text and a path such as `.<optional-element>.field`; does
/// not validate (see validate.h).
Type parse_type(const yson::Node& node);
/// Returns the `type_v3` node in the system's canonical order of keys.
yson::Node to_node(const Type& type);
/// Returns the canonical text: `{"type_name"="optional";"item"="int64";}`.
std::string print_type_yson(const Type& type);

}  // namespace xwalk::yt
