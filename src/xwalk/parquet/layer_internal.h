#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/hub/type.h"
#include "xwalk/parquet/hub.h"

namespace xwalk::parquet {

/// The node that stands for a child in the text of a layer.
Node placeholder(Repetition repetition, std::string name);

/// Returns the layer of a resolved node without its children: the text of its annotation.
std::string layer_text(const Resolved& resolved);

/// Parses a layer's text. Nothing for text that is none.
std::optional<Node> parse_layer(std::string_view text);

/// Returns the primitive that a plain Arrow field becomes, named and with repetition and id unset;
/// nothing for nested types and for what Parquet lacks.
std::optional<NodeData> standard_leaf(const hub::Field& field);

/// Returns the Arrow field of a primitive with a valid annotation; no annotation key is set.
hub::Field leaf_field(const Node& node, const ToArrowOptions& options);

/// Returns the element, key or value as a node by itself: its repetition is what the rules say.
hub::Field named_field(const Node& node, hub::Type type, bool nullable);

}  // namespace xwalk::parquet
