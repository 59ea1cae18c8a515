#include "xwalk/parquet/shredding.h"

#include <utility>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/hub/variant.h"
#include "xwalk/parquet/leaf.h"
#include "xwalk/parquet/variant.h"

namespace xwalk::parquet {
namespace {

constexpr std::string_view kTypedValue = "typed_value";

[[noreturn]] void refuse(const hub::Field& type, const Path& path) {
  throw Error(ErrorCode::Usage,
              fmt::format("expected a type that values of VARIANT have, found {}",
                          hub::to_string(type.type)),
              {.path = path},
              "types of VARIANT are bool, int8 to int64, float, double, decimals of up to 38 "
              "digits, date32, time64[us], timestamp[us] and timestamp[ns] with or without a zone, "
              "binary, string, fixed_size_binary[16] [arrow.uuid], list and struct");
}

Node optional_binary(std::string_view name) {
  return Node::primitive(Repetition::Optional, PhysicalType::ByteArray, std::string(name));
}

/// Returns the decimal that the specification of shredding asks for, by its digits.
Node decimal_node(int32_t precision, int32_t scale) {
  const LogicalType logical = LogicalType::decimal(precision, scale);
  const std::string name(kTypedValue);
  if (precision <= 9) {
    return Node::primitive(Repetition::Optional, PhysicalType::Int32, name, logical);
  }
  if (precision <= 18) {
    return Node::primitive(Repetition::Optional, PhysicalType::Int64, name, logical);
  }
  return Node::fixed(Repetition::Optional, min_decimal_bytes(precision), name, logical);
}

Node leaf_of(const hub::Field& type, const Path& path) {
  auto data = standard_leaf(type);
  if (!data || type.type.kind() == hub::Kind::Duration) refuse(type, path);
  data->name = kTypedValue;
  data->repetition = Repetition::Optional;
  Node node(*std::move(data));
  if (!is_shredded_type(node)) refuse(type, path);
  const LogicalType& logical = node.logical();
  if (!logical.is(LogicalType::Kind::Decimal)) return node;
  return decimal_node(logical.precision(), logical.scale());
}

/// Returns the part of a field or an item.
Node part_of(std::string name, const hub::Field& type, const Path& path) {
  if (hub::is_variant(type)) return shredded_part(std::move(name), std::nullopt);
  return shredded_part(std::move(name), typed_value_of(type, path));
}

void collect(const Resolved& resolved, std::vector<const Resolved*>* out) {
  if (resolved.node.logical().is(LogicalType::Kind::Variant)) {
    if (hub::is_variant(resolved.field)) out->push_back(&resolved);
    return;
  }
  for (const Resolved& child : resolved.children) collect(child, out);
}

/// Replaces VARIANT groups. They are counted in the order of the nodes, which is that of
/// `variants_of`.
class Replacer {
 public:
  explicit Replacer(const std::map<size_t, Node>& typed_values) : typed_values_(typed_values) {}

  Node node(const Node& node) {
    if (!node.is_group()) return node;
    NodeData data = node.data();
    if (node.logical().is(LogicalType::Kind::Variant)) {
      if (variant_problem(node)) return node;
      const auto found = typed_values_.find(next_++);
      if (found == typed_values_.end()) return node;
      data.children = {Node::primitive(Repetition::Required, PhysicalType::ByteArray, "metadata"),
                       optional_binary("value"), found->second};
      return Node(std::move(data));
    }
    for (Node& child : data.children) child = this->node(child);
    return Node(std::move(data));
  }

 private:
  const std::map<size_t, Node>& typed_values_;
  size_t next_ = 0;
};

}  // namespace

std::vector<const Resolved*> variants_of(const std::vector<Resolved>& columns) {
  std::vector<const Resolved*> out;
  for (const Resolved& column : columns) collect(column, &out);
  return out;
}

Node shredded_part(std::string name, std::optional<Node> typed_value) {
  std::vector<Node> children = {optional_binary("value")};
  if (typed_value) children.push_back(*std::move(typed_value));
  return Node::group(Repetition::Required, std::move(name), std::move(children));
}

Node typed_value_of(const hub::Field& type, const Path& path) {
  const std::string name(kTypedValue);
  const hub::Kind kind = type.type.kind();
  if (hub::is_list(kind)) {
    Node element = part_of("element", type.type.child(), path.item());
    return Node::group(Repetition::Optional, name,
                       {Node::group(Repetition::Repeated, "list", {std::move(element)})},
                       LogicalType::Kind::List);
  }
  if (kind == hub::Kind::Struct && !type.type.children().empty()) {
    std::vector<Node> parts;
    for (const hub::Field& child : type.type.children()) {
      parts.push_back(part_of(child.name, child, path.field(child.name)));
    }
    return Node::group(Repetition::Optional, name, std::move(parts));
  }
  return leaf_of(type, path);
}

Schema with_typed_values(const Schema& schema, const std::map<size_t, Node>& typed_values) {
  return Schema(Replacer(typed_values).node(schema.root()));
}

}  // namespace xwalk::parquet
