#include "xwalk/yt/type_yson.h"

// `type_v3` as a YSON tree, both ways.

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"
#include "xwalk/yt/schema.h"

namespace xwalk::yt {
namespace {

using yson::described;
using yson::fail_at;
using yson::Node;

/// Names of the older form and of other systems that people write by mistake.
std::string name_hint(std::string_view name) {
  if (name == "boolean") return "type_v3 calls it bool";
  if (name == "any") return "type_v3 calls it yson, and a column of it is optional<yson>";
  std::vector<std::string> names;
  for (const KindRow& row : kKindRows) names.emplace_back(row.name);
  return did_you_mean(name, names);
}

class TypeParser {
 public:
  Type parse(const Node& node, int depth) const {
    if (depth > kMaxTypeDepth) {
      fail_at(node, fmt::format("expected at most {} levels of composite types, found more",
                                kMaxTypeDepth));
    }
    if (node.is(Node::Kind::String)) return parse_name(node, node.as_string());
    if (!node.is(Node::Kind::Map)) {
      fail_at(node, fmt::format("expected a type: a name or a map with \"type_name\", found {}",
                                described(node)));
    }
    const Node* name = node.find("type_name");
    if (name == nullptr) fail_at(node, "\"type_name\" is required in a type given as a map");
    const std::string& text = string_of(*name, "type_name");
    std::optional<TypeKind> kind = kind_of_name(text);
    if (!kind || is_simple(*kind)) return parse_name(*name, text);
    switch (kind_row(*kind).composition) {
      case Composition::None:
        return decimal(integer_of(field(node, text, "precision"), "precision"),
                       integer_of(field(node, text, "scale"), "scale"));
      case Composition::Optional:
        return optional(field_type(node, text, "item", depth));
      case Composition::List:
        return list(field_type(node, text, "item", depth));
      case Composition::Struct:
        return struct_(parse_members(field(node, text, "members"), depth), parse_removed(node));
      case Composition::Tuple:
        return tuple(parse_elements(field(node, text, "elements"), depth));
      case Composition::Variant:
        return parse_variant(node, depth);
      case Composition::Dict:
        return dict(field_type(node, text, "key", depth), field_type(node, text, "value", depth));
      case Composition::Tagged:
        return tagged(string_of(field(node, text, "tag"), "tag"),
                      field_type(node, text, "item", depth));
    }
    throw Error(ErrorCode::Internal, "a kind of type has no composition");
  }

 private:
  static Type parse_name(const Node& node, const std::string& name) {
    std::optional<TypeKind> kind = kind_of_name(name);
    if (!kind) {
      fail_at(node, fmt::format("{} is not valid type_v3 simple type", quoted(name)),
              name_hint(name));
    }
    if (!is_simple(*kind)) {
      fail_at(node, fmt::format("type \"{}\" must be represented by map, not a string", name),
              fmt::format("write {{type_name={};…}}", name));
    }
    return *kind;
  }

  static const Node& field(const Node& node, const std::string& type, std::string_view key) {
    const Node* found_node = node.find(key);
    if (found_node == nullptr) {
      fail_at(node, fmt::format("field \"{}\" is required for logical type \"{}\"", key, type));
    }
    return *found_node;
  }

  static const std::string& string_of(const Node& node, std::string_view key) {
    if (!node.is(Node::Kind::String)) {
      fail_at(node,
              fmt::format("cannot parse \"{}\": expected string, found {}", key, described(node)));
    }
    return node.as_string();
  }

  /// Any integer of 64 bits is read; ranges are a matter of validation.
  static int integer_of(const Node& node, std::string_view key) {
    std::optional<int64_t> value;
    if (node.is(Node::Kind::Int64)) value = node.as_int64();
    if (node.is(Node::Kind::Uint64) && node.as_uint64() <= INT32_MAX) {
      value = static_cast<int64_t>(node.as_uint64());
    }
    if (!value || *value < INT32_MIN || *value > INT32_MAX) {
      fail_at(node, fmt::format("cannot parse \"{}\": expected an integer of 32 bits, found {}",
                                key, described(node)));
    }
    return static_cast<int>(*value);
  }

  static const Node::List& list_of(const Node& node, std::string_view key) {
    if (!node.is(Node::Kind::List)) {
      fail_at(node,
              fmt::format("cannot parse \"{}\": expected list, found {}", key, described(node)));
    }
    return node.as_list();
  }

  Type field_type(const Node& node, const std::string& type, std::string_view key,
                  int depth) const {
    return parse(field(node, type, key), depth + 1);
  }

  const Node& member_map(const Node& node) const {
    if (!node.is(Node::Kind::Map)) {
      fail_at(node,
              fmt::format("expected a map that describes a member, found {}", described(node)));
    }
    return node;
  }

  Type member_type(const Node& member, int depth) const {
    const Node* type = member.find("type");
    if (type == nullptr) fail_at(member, "type is required in a member");
    return parse(*type, depth + 1);
  }

  std::vector<Member> parse_members(const Node& node, int depth) const {
    std::vector<Member> members;
    for (const Node& item : list_of(node, "members")) {
      const Node& member = member_map(item);
      const Node* name = member.find("name");
      if (name == nullptr) fail_at(member, "name is required in a member");
      const std::string& text = string_of(*name, "name");
      const Node* stable = member.find("stable_name");
      members.emplace_back(text, member_type(member, depth),
                           stable == nullptr ? text : string_of(*stable, "stable_name"));
    }
    return members;
  }

  std::vector<Type> parse_elements(const Node& node, int depth) const {
    std::vector<Type> types;
    for (const Node& item : list_of(node, "elements")) {
      types.push_back(member_type(member_map(item), depth));
    }
    return types;
  }

  static std::vector<std::string> parse_removed(const Node& node) {
    std::vector<std::string> removed;
    const Node* names = node.find("removed_members");
    if (names == nullptr) return removed;
    for (const Node& item : list_of(*names, "removed_members")) {
      const Node* stable = item.is(Node::Kind::Map) ? item.find("stable_name") : nullptr;
      if (stable == nullptr) fail_at(item, "stable name is required in a removed member");
      removed.push_back(string_of(*stable, "stable_name"));
    }
    return removed;
  }

  Type parse_variant(const Node& node, int depth) const {
    const Node* members = node.find("members");
    const Node* elements = node.find("elements");
    if (members == nullptr && elements == nullptr) {
      fail_at(node, "\"variant\" must have \"elements\" or \"members\" child");
    }
    if (members != nullptr && elements != nullptr) {
      fail_at(node, "\"variant\" cannot have both children \"elements\" and \"members\"");
    }
    if (node.find("removed_members") != nullptr) {
      fail_at(node, "\"removed_members\" is not allowed in a variant");
    }
    return members != nullptr ? variant(parse_members(*members, depth))
                              : variant_of(parse_elements(*elements, depth));
  }
};

Node members_node(const Type& type) {
  Node out = Node::list();
  for (const Member& member : type.members()) {
    Node entry = Node::map();
    entry.add("type", to_node(member.type));
    if (type.is_named()) {
      entry.add("name", Node::string(member.name));
      if (member.stable_name != member.name) {
        entry.add("stable_name", Node::string(member.stable_name));
      }
    }
    out.add(std::move(entry));
  }
  return out;
}

}  // namespace

Type parse_type(const yson::Node& node) { return TypeParser().parse(node, 0); }

yson::Node to_node(const Type& type) {
  if (type.is_simple()) return Node::string(std::string(kind_name(type.kind())));
  Node node = Node::map();
  node.add("type_name", Node::string(std::string(kind_name(type.kind()))));
  switch (type.composition()) {
    case Composition::None:
      node.add("precision", Node::int64(type.precision()));
      node.add("scale", Node::int64(type.scale()));
      break;
    case Composition::Tagged:
      node.add("tag", Node::string(type.tag()));
      [[fallthrough]];
    case Composition::Optional:
    case Composition::List:
      node.add("item", to_node(type.item()));
      break;
    case Composition::Struct:
    case Composition::Tuple:
    case Composition::Variant:
      node.add(type.is_named() ? "members" : "elements", members_node(type));
      if (!type.removed_members().empty()) {
        Node removed = Node::list();
        for (const std::string& name : type.removed_members()) {
          Node entry = Node::map();
          entry.add("stable_name", Node::string(name));
          removed.add(std::move(entry));
        }
        node.add("removed_members", std::move(removed));
      }
      break;
    case Composition::Dict:
      node.add("key", to_node(type.key()));
      node.add("value", to_node(type.value()));
      break;
  }
  return node;
}

std::string print_type_yson(const Type& type) {
  return yson::print(to_node(type), yson::Format::Text);
}

}  // namespace xwalk::yt
