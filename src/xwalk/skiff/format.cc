#include "xwalk/skiff/format.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/limits.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"

namespace xwalk::skiff {
namespace {

using yson::fail_at;
using yson::Node;

/// Resolves references, each name once, so that shared schemas share their nodes.
class Resolver {
 public:
  explicit Resolver(const Node* registry) : registry_(registry) {
    if (registry_ != nullptr && registry_->is(Node::Kind::Entity)) registry_ = nullptr;
    if (registry_ != nullptr && !registry_->is(Node::Kind::Map)) {
      fail_at(*registry_, fmt::format("expected a map as skiff_schema_registry, found {}",
                                      yson::kind_name(registry_->kind())));
    }
  }

  Type parse(const Node& node, int depth = 0) {
    if (depth >= limits::kSchemaDepth) {
      fail_at(node, fmt::format("expected a schema of at most {} levels, found more",
                                limits::kSchemaDepth));
    }
    if (node.is(Node::Kind::String)) return resolve(node, depth);
    if (!node.is(Node::Kind::Map)) {
      fail_at(node, fmt::format("expected a map or a string as a skiff schema, found {}",
                                yson::kind_name(node.kind())));
    }
    const Node* wire_node = node.find("wire_type");
    if (wire_node == nullptr) fail_at(node, "expected the key wire_type, found none");
    if (!wire_node->is(Node::Kind::String)) {
      fail_at(*wire_node, fmt::format("expected a string as wire_type, found {}",
                                      yson::kind_name(wire_node->kind())));
    }
    const std::string& word = wire_node->as_string();
    std::optional<WireType> wire = wire_from_name(word);
    if (!wire) {
      std::vector<std::string> wire_names;
      for (const WireRow& row : kWireRows) wire_names.emplace_back(row.name);
      fail_at(*wire_node, fmt::format("expected a wire type, found {}", clipped(word)),
              did_you_mean(word, wire_names));
    }
    std::string name;
    if (const Node* name_node = node.find("name"); name_node != nullptr) {
      if (!name_node->is(Node::Kind::String)) {
        fail_at(*name_node, fmt::format("expected a string as name, found {}",
                                        yson::kind_name(name_node->kind())));
      }
      name = name_node->as_string();
    }
    const Node* child_list = node.find("children");
    if (child_list != nullptr && !child_list->is(Node::Kind::List)) {
      fail_at(*child_list, fmt::format("expected a list as children, found {}",
                                       yson::kind_name(child_list->kind())));
    }
    if (is_simple(*wire)) return Type(*wire, std::move(name));
    if (child_list == nullptr) {
      fail_at(node, fmt::format("expected the key children of compound type {}, found none", word));
    }
    std::vector<Type> children;
    children.reserve(child_list->as_list().size());
    for (const Node& child : child_list->as_list()) children.push_back(parse(child, depth + 1));
    try {
      return Type(*wire, std::move(children), std::move(name));
    } catch (Error& error) {
      if (!error.place().byte) error.place().byte = node.source_offset();
      throw;
    }
  }

 private:
  Type resolve(const Node& node, int depth) {
    const std::string& reference = node.as_string();
    if (reference.empty() || reference[0] != '$') {
      fail_at(node,
              fmt::format("expected a reference that starts with $, found {}", clipped(reference)));
    }
    std::string name = reference.substr(1);
    if (auto known = resolved_.find(name); known != resolved_.end()) return known->second;
    if (std::ranges::find(open_, name) != open_.end()) {
      fail_at(node, fmt::format("expected a schema that does not contain itself, found a recursive "
                                "reference to {}",
                                clipped(name)));
    }
    const Node* target = registry_ == nullptr ? nullptr : registry_->find(name);
    if (target == nullptr) {
      std::vector<std::string> names;
      if (registry_ != nullptr) {
        for (const auto& entry : registry_->as_map()) names.push_back(entry.first);
      }
      fail_at(node,
              fmt::format("expected a name of skiff_schema_registry, found {}", clipped(name)),
              did_you_mean(name, names, [](const std::string& close) { return "$" + close; }));
    }
    open_.push_back(name);
    Type type = parse(*target, depth + 1);
    open_.pop_back();
    resolved_.emplace(std::move(name), type);
    return type;
  }

  const Node* registry_;
  std::vector<std::string> open_;
  std::map<std::string, Type> resolved_;
};

}  // namespace

Type parse_type(const Node& node, const Node* registry) { return Resolver(registry).parse(node); }

Type parse_type(std::string_view yson) {
  return yson::with_place(yson, [&] { return parse_type(yson::parse(yson)); });
}

Node to_node(const Type& type) {
  Node node = Node::map();
  if (!is_simple(type.wire())) {
    Node children = Node::list();
    for (const Type& child : type.children()) children.add(to_node(child));
    node.add("children", std::move(children));
  }
  if (!type.name().empty()) node.add("name", Node::string(type.name()));
  node.add("wire_type", Node::string(std::string(wire_name(type.wire()))));
  return node;
}

Format parse_format(const Node& node) {
  if (!node.is(Node::Kind::String) || node.as_string() != "skiff") {
    fail_at(node,
            fmt::format("expected the string skiff with attributes, found {}",
                        node.is(Node::Kind::String) ? clipped(node.as_string())
                                                    : std::string(yson::kind_name(node.kind()))),
            "A configuration is written <table_skiff_schemas=[…]>skiff.");
  }
  for (const auto& [key, value] : node.attributes()) {
    if (key == "table_skiff_schemas" || key == "skiff_schema_registry") continue;
    if (key == "override_intermediate_table_schema") {
      fail_at(value, "expected table schemas beside the format, found " + key,
              "Write {table_schemas=[…];format=<…>skiff}.");
    }
    fail_at(value,
            fmt::format("expected table_skiff_schemas and skiff_schema_registry as attributes of "
                        "skiff, found {}",
                        clipped(key)),
            did_you_mean(key, {"table_skiff_schemas", "skiff_schema_registry"}));
  }
  const Node* tables = node.find_attribute("table_skiff_schemas");
  if (tables == nullptr) fail_at(node, "expected the attribute table_skiff_schemas, found none");
  if (!tables->is(Node::Kind::List)) {
    fail_at(*tables, fmt::format("expected a list as table_skiff_schemas, found {}",
                                 yson::kind_name(tables->kind())));
  }
  if (tables->as_list().empty()) {
    fail_at(*tables, "expected the schema of a table in table_skiff_schemas, found none");
  }
  Resolver resolver(node.find_attribute("skiff_schema_registry"));
  Format format;
  size_t nodes = 0;
  for (const Node& table : tables->as_list()) {
    format.tables.push_back(resolver.parse(table));
    // Shared schemas cost nothing to hold, but each is compiled for its table.
    nodes += format.tables.back().node_count();
    if (nodes > 16 * kMaxSchemaNodes) {
      fail_at(*tables, fmt::format("expected at most {} nodes in all tables, found more",
                                   16 * kMaxSchemaNodes));
    }
  }
  if (format.tables.size() > 65535) {
    fail_at(*tables, fmt::format("expected at most 65535 tables, found {}", format.tables.size()));
  }
  return format;
}

Format parse_format(std::string_view yson) {
  return yson::with_place(yson, [&] { return parse_format(yson::parse(yson)); });
}

Node to_node(const Format& format) {
  // Printed text is the identity of a schema here: names included, sharing aside.
  std::map<std::string, int> uses;
  std::vector<std::string> texts;
  for (const Type& table : format.tables) {
    texts.push_back(to_string(table));
    ++uses[texts.back()];
  }
  Node tables = Node::list();
  Node registry = Node::map();
  std::map<std::string, std::string> references;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (uses[texts[i]] == 1) {
      tables.add(to_node(format.tables[i]));
      continue;
    }
    auto [known, fresh] = references.emplace(texts[i], "");
    if (fresh) {
      std::string name = fmt::format("table{}", references.size());
      known->second = "$" + name;
      registry.add(std::move(name), to_node(format.tables[i]));
    }
    tables.add(Node::string(known->second));
  }
  Node node = Node::string("skiff");
  node.add_attribute("table_skiff_schemas", std::move(tables));
  if (!registry.as_map().empty()) node.add_attribute("skiff_schema_registry", std::move(registry));
  return node;
}

}  // namespace xwalk::skiff
