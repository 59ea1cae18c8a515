#pragma once

#include <optional>

#include "xwalk/hub/type.h"
#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// Returns the primitive that a plain Arrow field becomes, named and with repetition and id unset;
/// nothing for nested types and for what Parquet lacks.
std::optional<NodeData> standard_leaf(const hub::Field& field);

/// Returns the Arrow field of a primitive with a valid annotation; no annotation key is set.
hub::Field leaf_field(const Node& node, const ToArrowOptions& options);

/// Returns the element, key or value as a single node, whose repetition follows from the rules.
hub::Field named_field(const Node& node, hub::Type type, bool nullable);

}  // namespace xwalk::parquet
