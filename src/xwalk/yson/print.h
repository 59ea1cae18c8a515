#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "xwalk/yson/node.h"

namespace xwalk::yson {

/// How a value is written. All three parse back to an equal value.
enum class Format : uint8_t {
  Text,    ///< `{"a"=[1;2;];}` on one line
  Pretty,  ///< the same, four spaces a level, ` = ` between key and value
  Binary,  ///< strings and numbers after a marker byte
};

/// Writes a value, byte for byte as the living system's writer does: strings always quoted, `;`
/// after every item, the shortest digits that give a double back, bytes outside printable ASCII
/// escaped. Empty attributes are left out.
std::string print(const Node& node, Format format = Format::Text);

/// Writes items, each followed by `;` and, in the text formats, a newline.
std::string print_list_fragment(const std::vector<Node>& items, Format format = Format::Text);

/// Writes the entries of a map without its braces and attributes. Throws Error (Input) if the node
/// is not a map.
std::string print_map_fragment(const Node& map, Format format = Format::Text);

/// Appends a value to `out`, as `print` writes it.
void print_to(std::string* out, const Node& node, Format format);

}  // namespace xwalk::yson
