#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "xwalk/parquet/resolve.h"

namespace xwalk::parquet {

/// The node that stands for a child in the text of a layer.
Node placeholder(Repetition repetition, std::string name);

/// Returns a schema whose leaves of nulls (UNKNOWN) are int32: Polars refuses files in which they
/// have another physical type.
Schema with_plain_nulls(const Schema& schema);

/// Returns the layer of a resolved node without its children: the text of its annotation.
std::string layer_text(const Resolved& resolved);

/// Parses a layer's text. Empty for invalid text.
std::optional<Node> parse_layer(std::string_view text);

}  // namespace xwalk::parquet
