#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/skiff/type.h"
#include "xwalk/yson/node.h"

namespace xwalk::skiff {

/// The configuration of the format: one skiff schema per table ("Format configuration" in the
/// specification).
struct Format {
  std::vector<Type> tables;

  friend bool operator==(const Format&, const Format&) = default;
};

/// Parses the description of a node: a map of `wire_type`, `name`, `children`, or a reference
/// `$name` into the registry, a map (may be null). Unknown keys are ignored, as are children of
/// simple types. Throws Error (Input) with the byte of the node in the text: a reference that does
/// not resolve, recursion, a missing or unknown wire type, children that the tag cannot name.
Type parse_type(const yson::Node& node, const yson::Node* registry = nullptr);

/// Parses a node from YSON text or binary.
Type parse_type(std::string_view yson);

/// Returns the description: children, name and wire_type, in the order the specification prints.
yson::Node to_node(const Type& type);

/// Parses `<table_skiff_schemas=[…];skiff_schema_registry={…}>skiff`.
Format parse_format(const yson::Node& node);
Format parse_format(std::string_view yson);

/// Returns the configuration. Schemas that several tables share are described once, in the
/// registry, under `table1`, `table2`, … in the order of their first table.
yson::Node to_node(const Format& format);

}  // namespace xwalk::skiff
