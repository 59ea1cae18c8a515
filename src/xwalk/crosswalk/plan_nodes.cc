#include "xwalk/crosswalk/plan_nodes.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "xwalk/arrow/module.h"
#include "xwalk/base/text.h"
#include "xwalk/crosswalk/layer.h"
#include "xwalk/hub/annotation.h"
#include "xwalk/hub/box.h"
#include "xwalk/hub/module.h"
#include "xwalk/hub/variant.h"

namespace xwalk::crosswalk {
namespace {

using hub::Field;
using hub::Kind;
using hub::Schema;
using hub::Type;

/// The field of a map's key and value, or of a list of such pairs; null for other types.
const Field* pair_of(const Type& type) {
  if (type.children().empty() || has_names(type)) return nullptr;
  const Field& pair = type.child();
  return pair.type.kind() == Kind::Struct && pair.type.children().size() == 2 ? &pair : nullptr;
}

/// Returns why each child of a type has another name; "" if it has the same.
std::vector<std::string> renamed_children(const Type& type, const Path& path,
                                          const std::vector<const Field*>& target,
                                          const Names& names) {
  std::vector<std::string> out(type.children().size());
  const std::vector<hub::Rename> there = hub::names_of(type, path, names.there);
  const std::vector<hub::Rename> own = hub::names_of(type, path, names.own);
  for (size_t i = 0; i < out.size(); ++i) {
    const std::string& name = type.child(i).name;
    if (target[i] == nullptr) continue;
    if (there[i].name != name && target[i]->name == there[i].name) {
      out[i] = fmt::format("is called {}: {}", xwalk::quoted(there[i].name), there[i].why);
    } else if (own[i].name != name) {
      out[i] = fmt::format("comes back as {}: {}", xwalk::quoted(own[i].name), own[i].why);
    }
  }
  return out;
}

/// Returns true if both fields are the same type of a system, children aside: the Arrow layer, null
/// or not, the canonical extension, and the system's own annotation.
bool same_layer(System system, const Field& a, const Field& b) {
  if (a.nullable != b.nullable) return false;
  if (!(own_layer(a.type) == own_layer(b.type))) return false;
  if (a.extension_name() != b.extension_name()) return false;
  if (a.extension_metadata() != b.extension_metadata()) return false;
  // A system that shares another's types says by its notes what a value is.
  for (const std::string_view name : {system->name, system->types()->name}) {
    if (hub::annotation(a, name) != hub::annotation(b, name)) return false;
  }
  return true;
}

/// Returns true for what only the source's reader restored from a note: a node that the source's
/// own schema does not have, or has with another type.
bool is_restored(const Node& node) {
  return node.own == nullptr || !(own_layer(node.source->type) == own_layer(node.own->type)) ||
         node.source->extension_name() != node.own->extension_name();
}

/// Says whether a type that a note restored comes back: it counts as the type of the source, as if
/// it came from Arrow. Nothing if the source's own schema decides.
std::optional<hub::TypeKept> restored_type_kept(System from, System to, const Node& node) {
  if (node.own == nullptr) {
    const bool again =
        node.restored != nullptr && own_layer(node.source->type) == own_layer(node.restored->type);
    return again ? std::optional(hub::TypeKept::Self) : std::nullopt;
  }
  if (node.target == nullptr || node.restored == nullptr) return hub::TypeKept::Changed;
  if (!same_layer(arrow::kModule, *node.source, *node.restored)) return hub::TypeKept::Changed;
  if (same_layer(arrow::kModule, *node.source, *node.target)) return hub::TypeKept::Self;
  // Files of one system keep a type by the same annotation, but without it its numbers are not
  // durations, and its lists have no fixed length.
  const Kind kind = node.source->type.kind();
  const bool by_note = kind == Kind::FixedSizeList || kind == Kind::Duration;
  if (from == to && !by_note) return std::nullopt;
  return hub::TypeKept::Noted;
}

}  // namespace

std::vector<const Field*> counterparts(const Type& a, const Path& path, const Type& b,
                                       const hub::Renames& renames) {
  const auto children = b.children();
  std::vector<const Field*> out(a.children().size(), nullptr);
  if (has_names(a) != has_names(b)) return out;
  std::vector<std::optional<size_t>> pairs;
  if (has_names(a)) pairs = hub::pair_members(a, b, path, renames);
  for (size_t i = 0; i < out.size(); ++i) {
    const std::optional<size_t> place = has_names(a) ? pairs[i] : i;
    if (place && *place < children.size()) out[i] = &children[*place];
  }
  return out;
}

void add_nodes(const Node& node, const Names& names, std::vector<Node>* out) {
  const Type& type = without_encoding(node.source->type);
  const std::vector<Child> children = children_of(type, node.path);
  const auto counterparts_in = [&](const Field* other, const hub::Renames& renames) {
    std::vector<const Field*> found(children.size(), nullptr);
    if (other == nullptr) return found;
    const Type& there = without_encoding(other->type);
    if (type.kind() != Kind::Map) return counterparts(type, node.path, there, renames);
    if (const Field* pair = pair_of(there)) {
      found = {&pair->type.child(0), &pair->type.child(1)};
    }
    return found;
  };
  // If the target wraps a value in a struct, or unwraps it, the value is paired.
  const auto in_target = [&](const Field* target) {
    if (target == nullptr) return counterparts_in(nullptr, names.there);
    const Type& there = without_encoding(target->type);
    switch (hub::boxed(type, there, node.path, names.there)) {
      case hub::Boxed::From:
        return std::vector<const Field*>{target};
      case hub::Boxed::To:
        return counterparts_in(&there.child(), names.there);
      case hub::Boxed::Neither:
        break;
    }
    return counterparts_in(target, names.there);
  };
  out->push_back(node);
  if (children.empty()) return;
  // A VARIANT that becomes another type is one value: its byte strings are not columns there.
  if (hub::is_variant(*node.source) && node.target != nullptr && !hub::is_variant(*node.target)) {
    return;
  }
  const auto target = in_target(node.target);
  const auto own = counterparts_in(node.own, names.own);
  const auto alone = in_target(node.alone);
  const auto noted = in_target(node.noted);
  const auto restored = counterparts_in(node.restored, names.there);
  std::vector<std::string> renamed(children.size());
  if (has_names(type)) renamed = renamed_children(type, node.path, target, names);
  for (size_t i = 0; i < children.size(); ++i) {
    add_nodes(
        {children[i].path, children[i].field, target[i], own[i], alone[i], noted[i], restored[i],
         std::move(renamed[i]), target[i] != nullptr && target[i] == node.target},
        names, out);
  }
}

hub::TypeKept type_kept(System from, System to, const Node& node) {
  const Field* any = node.alone != nullptr ? node.alone : node.noted;
  // A name is part of the type around it; names of items and entries are not.
  const bool renamed = any != nullptr && !node.taken_out && node.path.last().is_named() &&
                       any->name != node.source->name;
  if (renamed) return hub::TypeKept::Changed;
  if (is_restored(node)) {
    if (const auto kept = restored_type_kept(from, to, node)) return *kept;
  }
  const Field& source = node.own != nullptr ? *node.own : *node.source;
  if (node.alone != nullptr && same_layer(from, source, *node.alone)) return hub::TypeKept::Self;
  if (node.noted != nullptr && same_layer(from, source, *node.noted)) return hub::TypeKept::Noted;
  return hub::TypeKept::Changed;
}

}  // namespace xwalk::crosswalk
