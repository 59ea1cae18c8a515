#include "xwalk/parquet/layer.h"

#include <algorithm>
#include <utility>

#include "xwalk/base/error.h"
#include "xwalk/parquet/message.h"

namespace xwalk::parquet {
namespace {

Node bare(const Node& node, std::vector<Node> children) {
  NodeData data = node.data();
  data.unknown.clear();
  data.children = std::move(children);
  return Node(std::move(data));
}

bool has_other_nulls(const Node& node) {
  if (node.is_group()) return std::ranges::any_of(node.children(), has_other_nulls);
  return node.logical().is(LogicalType::Kind::Unknown) && node.physical() != PhysicalType::Int32;
}

Node with_plain_nulls(const Node& node) {
  if (!has_other_nulls(node)) return node;
  NodeData data = node.data();
  for (Node& child : data.children) child = with_plain_nulls(child);
  if (!node.is_group()) {
    data.physical = PhysicalType::Int32;
    data.length = 0;
  }
  return Node(std::move(data));
}

}  // namespace

Schema with_plain_nulls(const Schema& schema) { return Schema(with_plain_nulls(schema.root())); }

Node placeholder(Repetition repetition, std::string name) {
  return Node::primitive(repetition, PhysicalType::Int32, std::move(name),
                         LogicalType::Kind::Unknown);
}

std::string layer_text(const Resolved& resolved) {
  const Node& node = resolved.node;
  NodeData data = node.data();
  data.name = "_";
  data.repetition = Repetition::Required;
  data.id.reset();                        // the id is the field's own metadata
  data.order = ColumnOrder::TypeDefined;  // an order is one of statistics, not of values
  data.unknown.clear();
  data.children.clear();
  switch (resolved.rule) {
    case Rule::Leaf:
    case Rule::Struct:
      break;
    case Rule::Repeated:
      return print_field_in_line(placeholder(Repetition::Repeated, "_"));
    case Rule::ListPrimitive:
    case Rule::ListManyFields:
    case Rule::ListOneRepeated:
    case Rule::ListArrayOrTuple:
      data.children = {placeholder(Repetition::Repeated, node.child().name())};
      break;
    case Rule::ListThreeLevel:
      data.children = {
          bare(node.child(), {placeholder(Repetition::Required, node.child().child().name())})};
      break;
    case Rule::Map:
    case Rule::MapByPosition:
    case Rule::MapKeyValueAsMap:
    case Rule::MapWithoutValue: {
      std::vector<Node> entry;
      // The hub's keys are never null. Only this annotation keeps whether the format's may be.
      for (const Node& part : node.child().children()) {
        bool key = entry.empty();
        entry.push_back(placeholder(key ? part.repetition() : Repetition::Required, part.name()));
      }
      data.children = {bare(node.child(), std::move(entry))};
      break;
    }
  }
  return print_field_in_line(Node(std::move(data)));
}

std::optional<Node> parse_layer(std::string_view text) {
  try {
    return parse_field(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace xwalk::parquet
