#include "xwalk/crosswalk/pairing.h"

#include <algorithm>
#include <unordered_map>

#include "xwalk/base/reordered.h"
#include "xwalk/crosswalk/labels.h"
#include "xwalk/crosswalk/layer.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Type;

constexpr size_t kNoNode = SIZE_MAX;

/// A node within its schema's tree; node 0 stands for the table.
struct PairingNode {
  SchemaNode node;
  size_t parent = kNoNode;
  std::vector<size_t> children;
  /// Whether the children have their own names.
  bool named = false;
  size_t partner = kNoNode;
  PairedBy by = PairedBy::None;
};

using Tree = std::vector<PairingNode>;

void add_children(Tree& tree, size_t parent);

void add_node(Tree& tree, size_t parent, const Field& field, Path path) {
  PairingNode node;
  node.parent = parent;
  node.node.field = field;
  node.node.label = path.last().text();
  node.node.path = std::move(path);
  node.node.index = tree[parent].children.size();
  const size_t self = tree.size();
  tree[parent].children.push_back(self);
  tree.push_back(std::move(node));
  add_children(tree, self);
}

void add_children(Tree& tree, size_t parent) {
  // Copies: the tree grows below them.
  const Type type = tree[parent].node.field.type;
  tree[parent].named = has_names(without_encoding(type));
  for (const Child& child : children_of(type, tree[parent].node.path)) {
    add_node(tree, parent, *child.field, child.path);
  }
}

Tree tree_of(const hub::Schema& schema) {
  Tree tree(1);
  tree[0].node.field = Field("", hub::struct_(schema.fields), false, schema.metadata);
  add_children(tree, 0);
  return tree;
}

void join_nodes(Tree& left, Tree& right, size_t l, size_t r, PairedBy by) {
  left[l].partner = r;
  left[l].by = by;
  right[r].partner = l;
  right[r].by = by;
}

/// Nodes by id; an id used twice identifies none.
std::unordered_map<std::string, size_t> ids_of(const Tree& tree) {
  std::unordered_map<std::string, size_t> ids;
  for (size_t i = 1; i < tree.size(); ++i) {
    const auto id = field_id(tree[i].node.field);
    // A negative id has not been assigned yet.
    if (!id || id->starts_with('-')) continue;
    auto [at, is_new] = ids.emplace(*id, i);
    if (!is_new) at->second = kNoNode;
  }
  return ids;
}

void pair_by_id(Tree& left, Tree& right) {
  const auto rights = ids_of(right);
  for (const auto& [id, l] : ids_of(left)) {
    const auto found = rights.find(id);
    if (l == kNoNode || found == rights.end() || found->second == kNoNode) continue;
    join_nodes(left, right, l, found->second, PairedBy::Id);
  }
}

std::vector<size_t> alone(const Tree& tree, const std::vector<size_t>& nodes) {
  std::vector<size_t> out;
  for (const size_t node : nodes) {
    if (tree[node].partner == kNoNode) out.push_back(node);
  }
  return out;
}

/// As hub::pair_members does, among those that no id has paired.
void pair_by_name(Tree& left, Tree& right, size_t l, size_t r, const hub::Renames& renames) {
  std::unordered_map<std::string_view, std::vector<size_t>> free;
  // Last first, so that the back of each list is the first of its name.
  const auto& rights = right[r].children;
  for (size_t i = rights.size(); i-- > 0;) {
    if (right[rights[i]].partner == kNoNode) {
      free[right[rights[i]].node.field.name].push_back(rights[i]);
    }
  }
  const SchemaNode& parent = left[l].node;
  const std::vector<hub::Rename> names =
      hub::names_of(without_encoding(parent.field.type), parent.path, renames);
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t child = left[l].children[i];
    if (left[child].partner != kNoNode) continue;
    const auto found = free.find(names[i].name);
    if (found == free.end() || found->second.empty()) continue;
    join_nodes(left, right, child, found->second.back(), PairedBy::Name);
    found->second.pop_back();
  }
}

void pair_by_position(Tree& left, Tree& right, const std::vector<size_t>& lefts,
                      const std::vector<size_t>& rights) {
  for (size_t i = 0; i < std::min(lefts.size(), rights.size()); ++i) {
    const bool free = left[lefts[i]].partner == kNoNode && right[rights[i]].partner == kNoNode;
    if (free) join_nodes(left, right, lefts[i], rights[i], PairedBy::Position);
  }
}

void pair_by_type(Tree& left, Tree& right, size_t l, size_t r) {
  const auto fingerprints = [](const Tree& tree, const std::vector<size_t>& nodes) {
    std::unordered_map<std::string, std::vector<size_t>> out;
    for (const size_t node : nodes) {
      out[hub::to_string(tree[node].node.field.type)].push_back(node);
    }
    return out;
  };
  const auto rights = fingerprints(right, alone(right, right[r].children));
  for (const auto& [type, nodes] : fingerprints(left, alone(left, left[l].children))) {
    const auto found = rights.find(type);
    if (nodes.size() != 1 || found == rights.end() || found->second.size() != 1) continue;
    join_nodes(left, right, nodes[0], found->second[0], PairedBy::Guess);
  }
}

/// Children of a list of pairs if the other side is a map: key and value.
const std::vector<size_t>& entries_of(const Tree& tree, size_t node, const Tree& other,
                                      size_t other_node) {
  const Type& nearby = without_encoding(other[other_node].node.field.type);
  if (nearby.kind() != Kind::Map || tree[node].children.size() != 1) return tree[node].children;
  const PairingNode& item = tree[tree[node].children[0]];
  return item.named && item.children.size() == 2 ? item.children : tree[node].children;
}

void pair_children(Tree& left, Tree& right, size_t l, size_t r, const PairingOptions& options) {
  if (left[l].named && right[r].named) {
    pair_by_name(left, right, l, r, options.renames == nullptr ? hub::Renames{} : *options.renames);
    if (options.guesses) pair_by_type(left, right, l, r);
  } else if (!left[l].named && !right[r].named) {
    pair_by_position(left, right, entries_of(left, l, right, r), entries_of(right, r, left, l));
  }
}

class Emitter {
 public:
  Emitter(Tree left, Tree right) : left_(std::move(left)), right_(std::move(right)) {}

  std::vector<PairedNode> run() {
    children(0, 0, 0);
    return std::move(out_);
  }

 private:
  /// Emits the nodes below a pair, or below a node of one side.
  void children(size_t l, size_t r, int depth) {
    static const std::vector<size_t> kNoMembers;
    const auto& lefts = l == kNoNode ? kNoMembers : left_[l].children;
    const auto& rights = r == kNoNode ? kNoMembers : right_[r].children;
    std::vector<size_t> places;
    for (const size_t child : rights) {
      const size_t partner = right_[child].partner;
      if (partner != kNoNode && left_[partner].parent == l) {
        places.push_back(left_[partner].node.index);
      }
    }
    const std::vector<bool> moved = reordered(places);
    size_t next_left = 0;
    size_t next_place = 0;
    const bool parent_is_alone = l == kNoNode || r == kNoNode;
    auto catch_up = [&](size_t until) {
      for (; next_left < std::min(until, lefts.size()); ++next_left) {
        const size_t child = lefts[next_left];
        if (left_[child].partner != kNoNode) continue;
        emit(std::move(left_[child].node), std::nullopt, depth).within_alone = parent_is_alone;
        children(child, kNoNode, depth + 1);
      }
    };
    for (const size_t child : rights) {
      const size_t partner = right_[child].partner;
      if (partner == kNoNode) {
        emit(std::nullopt, std::move(right_[child].node), depth).within_alone = parent_is_alone;
        children(kNoNode, child, depth + 1);
        continue;
      }
      const bool same_parent = left_[partner].parent == l;
      const bool has_moved = same_parent && moved[next_place++];
      if (same_parent && !has_moved) catch_up(left_[partner].node.index);
      PairedNode& node = emit(std::move(left_[partner].node), std::move(right_[child].node), depth);
      node.by = right_[child].by;
      node.reordered = has_moved;
      node.reparented = !same_parent;
      children(partner, child, depth + 1);
    }
    catch_up(lefts.size());
  }

  PairedNode& emit(std::optional<SchemaNode> left, std::optional<SchemaNode> right, int depth) {
    PairedNode& node = out_.emplace_back();
    node.left = std::move(left);
    node.right = std::move(right);
    node.depth = depth;
    return node;
  }

  Tree left_;
  Tree right_;
  std::vector<PairedNode> out_;
};

}  // namespace

std::string_view to_string(PairedBy by) {
  switch (by) {
    case PairedBy::None:
      return "none";
    case PairedBy::Name:
      return "name";
    case PairedBy::Id:
      return "id";
    case PairedBy::Position:
      return "position";
    case PairedBy::Guess:
      return "guess";
  }
  return "";
}

std::vector<PairedNode> pair_schemas(const hub::Schema& left, const hub::Schema& right,
                                     const PairingOptions& options) {
  Tree a = tree_of(left);
  Tree b = tree_of(right);
  join_nodes(a, b, 0, 0, PairedBy::Name);
  if (options.ids) pair_by_id(a, b);
  // Parents come before their children, so a partner found here is visited later.
  for (size_t l = 0; l < a.size(); ++l) {
    if (a[l].partner != kNoNode) pair_children(a, b, l, a[l].partner, options);
  }
  return Emitter(std::move(a), std::move(b)).run();
}

}  // namespace xwalk::crosswalk
