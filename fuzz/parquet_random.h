#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/harness.h"
#include "xwalk/parquet/kinds.h"
#include "xwalk/parquet/message.h"
#include "xwalk/parquet/type.h"

// Parquet schemas made of the bytes of an input: leaves of every type, lists and maps of every
// rule, variants; nearly all have a meaning.

namespace xwalk::fuzz {

/// Leaves of each type, annotated in either form.
inline const std::vector<parquet::Node>& parquet_leaves() {
  static const std::vector<parquet::Node> leaves = [] {
    std::vector<parquet::Node> out;
    for (const parquet::PhysicalRow& row : parquet::kPhysicalRows) {
      out.push_back(parquet::parse_field(row.example));
    }
    for (const parquet::LogicalRow& row : parquet::kLogicalRows) {
      for (const std::string_view example : row.examples) {
        if (example.empty()) continue;
        parquet::Node node = parquet::parse_field(example);
        if (!node.is_group()) out.push_back(std::move(node));
      }
    }
    constexpr std::array<std::string_view, 15> kMore = {
        "required fixed_len_byte_array(12) v (TIMESTAMP(NANOS,true));",
        "required fixed_len_byte_array(12) v (TIMESTAMP(MICROS,false));",
        "required binary v (DECIMAL(50,5));",
        "required binary v (DECIMAL(90,5));",
        "required fixed_len_byte_array(30) v (DECIMAL(70,10));",
        "required fixed_len_byte_array(40) v (DECIMAL(80,0));",
        "required binary v (UTF8);",
        "required int32 v (TIME_MILLIS);",
        "required int64 v (TIMESTAMP_MICROS);",
        "required int32 v (INT_8);",
        "required binary v (FUTURE(0c620000));",
        "required binary v (UNKNOWN);",
        "required binary v (GEOGRAPHY(OGC:CRS84,KARNEY));",
        "required binary v (DECIMAL(3,1));",
        "required binary v (DECIMAL(2000000000,0));"};
    for (const std::string_view text : kMore) out.push_back(parquet::parse_field(text));
    return out;
  }();
  return leaves;
}

inline parquet::Node parquet_leaf(Choices* choices, std::string name,
                                  parquet::Repetition repetition) {
  const std::vector<parquet::Node>& leaves = parquet_leaves();
  const size_t which = choices->byte();
  if (which == 255) {
    return parquet::Node::fixed(repetition, 1 + choices->byte() % 20, std::move(name));
  }
  parquet::NodeData data = leaves[which % leaves.size()].data();
  data.name = std::move(name);
  data.repetition = repetition;
  if (which > 200) data.id = static_cast<int32_t>(which);
  return parquet::Node(std::move(data));
}

inline parquet::Node parquet_node(Choices* choices, int depth, std::string name,
                                  parquet::Repetition repetition);

/// A group shaped as a VARIANT, whole or shredded, with some byte of the input another than that.
inline std::vector<parquet::Node> variant_parts(Choices* choices, int depth, bool with_metadata) {
  using parquet::Node;
  using parquet::Repetition;
  std::vector<Node> parts;
  const uint8_t kind = choices->byte();
  const auto any = [&] { return static_cast<Repetition>(choices->byte() % 3); };
  const auto binary = [&](std::string name, Repetition repetition) {
    return Node::primitive(repetition, parquet::PhysicalType::ByteArray, std::move(name));
  };
  if (with_metadata && kind != 255) parts.push_back(binary("metadata", Repetition::Required));
  if (with_metadata && kind == 254) parts.back() = parquet_leaf(choices, "metadata", any());
  if (kind % 4 != 1) {
    parts.push_back(binary("value", kind % 2 == 0 ? Repetition::Optional : Repetition::Required));
  }
  if (kind % 32 == 31) parts.push_back(parquet_leaf(choices, "value", any()));
  if (kind % 32 == 30) parts.push_back(binary("other", any()));
  if (kind % 32 == 29) parts.push_back(parquet_node(choices, depth + 1, "typed_value", any()));
  if (kind % 32 == 28) {
    parts.insert(parts.begin(), parquet_node(choices, depth + 1, "metadata", any()));
  }
  if (kind % 8 < 2 || depth > 3) return parts;
  const Repetition typed = kind % 64 == 63 ? any() : Repetition::Optional;
  if (kind % 8 < 4) {
    parts.push_back(parquet_leaf(choices, "typed_value", typed));
  } else if (kind % 8 < 6) {
    const auto part_repetition = kind % 64 > 60 ? any() : Repetition::Required;
    std::vector<Node> fields;
    for (size_t i = 0; i < 1 + choices->below(2); ++i) {
      fields.push_back(choices->byte() > 250
                           ? parquet_node(choices, depth + 1, "b", part_repetition)
                           : Node::group(part_repetition, "a" + std::to_string(i),
                                         variant_parts(choices, depth + 1, false)));
    }
    parts.push_back(Node::group(typed, "typed_value", std::move(fields)));
  } else if (kind % 8 == 6) {
    Node element =
        Node::group(Repetition::Required, "element", variant_parts(choices, depth + 1, false));
    Node list =
        Node::group(Repetition::Repeated, kind > 128 ? "list" : "array", {std::move(element)});
    parts.push_back(
        Node::group(typed, "typed_value", {std::move(list)}, parquet::LogicalKind::List));
  } else {
    parts.push_back(parquet_node(choices, depth + 1, "typed_value", typed));
  }
  return parts;
}

inline parquet::Node parquet_group(Choices* choices, int depth, std::string name,
                                   parquet::Repetition repetition) {
  using parquet::LogicalKind;
  using parquet::Node;
  using parquet::Repetition;
  const uint8_t kind = choices->byte();
  const auto optional = (kind & 128) == 0 ? Repetition::Optional : Repetition::Required;
  const auto child = [&](std::string of, Repetition is) {
    return parquet_node(choices, depth + 1, std::move(of), is);
  };
  const auto list = [&](Node repeated) {
    return Node::group(repetition, name, {std::move(repeated)}, LogicalKind::List);
  };
  const auto map = [&](std::string repeated, std::vector<Node> parts, LogicalKind logical) {
    return Node::group(repetition, name,
                       {Node::group(Repetition::Repeated, std::move(repeated), std::move(parts))},
                       logical);
  };
  const auto key = [&](std::string of) {
    return parquet_leaf(choices, std::move(of),
                        kind % 64 > 50 ? Repetition::Optional : Repetition::Required);
  };
  switch (kind % 13) {
    case 0:
      return list(Node::group(Repetition::Repeated, "list", {child("element", optional)}));
    case 1:
      return list(parquet_leaf(choices, "element", Repetition::Repeated));
    case 2:
      return list(Node::group(Repetition::Repeated, "element",
                              {child("a", optional), child("b", optional)}));
    case 3:
      return list(Node::group(Repetition::Repeated, "x", {child("y", Repetition::Repeated)}));
    case 4:
      return list(Node::group(Repetition::Repeated, "array", {child("a", optional)}));
    case 5:
    case 6: {
      Node first = key("key");
      return map("key_value", {std::move(first), child("value", optional)}, LogicalKind::Map);
    }
    case 7: {
      Node first = key("k");
      return map("entries", {std::move(first), child("v", optional)}, LogicalKind::Map);
    }
    case 8: {
      Node first = key("key");
      return map("map", {std::move(first), child("value", optional)}, LogicalKind::MapKeyValue);
    }
    case 9:
      return map("key_value", {key("key")}, LogicalKind::Map);
    case 10:
    case 11:
      return Node::group(
          repetition, std::move(name), variant_parts(choices, depth + 1, true),
          parquet::LogicalType::variant(kind > 128 ? std::optional(1) : std::nullopt));
    default: {
      std::vector<Node> fields;
      const size_t count = 1 + choices->below(3);
      for (size_t i = 0; i < count; ++i) {
        fields.push_back(
            child("abc" + std::to_string(i), static_cast<Repetition>(choices->byte() % 3)));
      }
      return Node::group(repetition, std::move(name), std::move(fields));
    }
  }
}

inline parquet::Node parquet_node(Choices* choices, int depth, std::string name,
                                  parquet::Repetition repetition) {
  if (depth > 3 || choices->byte() % 3 != 0) {
    return parquet_leaf(choices, std::move(name), repetition);
  }
  parquet::Node group = parquet_group(choices, depth, name, repetition);
  const bool shaped = parquet::LogicalKind::None != group.logical().kind();
  if (repetition != parquet::Repetition::Repeated || !shaped) return group;
  // What LIST and MAP annotate may not be repeated.
  return parquet_leaf(choices, std::move(name), repetition);
}

inline parquet::Schema parquet_schema(Choices* choices) {
  const uint8_t kind = choices->byte();
  std::vector<parquet::Node> columns;
  for (size_t i = 0; i < size_t{1} + kind % 4; ++i) {
    columns.push_back(parquet_node(choices, 0, "c" + std::to_string(i),
                                   static_cast<parquet::Repetition>(choices->byte() % 3)));
  }
  return parquet::Schema(
      parquet::Node::group(parquet::Repetition::Required, "schema", std::move(columns)));
}

}  // namespace xwalk::fuzz
