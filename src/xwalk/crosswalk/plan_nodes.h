#pragma once

#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// Returns the field of each child of `a`, which is at `path`, in `b`: named children by name,
/// others by position. Null if `b` has no such child.
std::vector<const hub::Field*> counterparts(const hub::Type& a, const Path& path,
                                            const hub::Type& b, const hub::Renames& renames);

/// A node of the source's schema and its counterparts in other schemas; null if it has none.
struct Node {
  Path path;
  const hub::Field* source = nullptr;
  /// In the target's schema.
  const hub::Field* target = nullptr;
  /// In the source's own schema, without what a reader restored from annotations.
  const hub::Field* own = nullptr;
  /// In the source's schema as it comes back from the target, without and with xwalk's annotations.
  const hub::Field* alone = nullptr;
  const hub::Field* noted = nullptr;
  /// In the target's schema, as its reader restores it from annotations.
  const hub::Field* restored = nullptr;
  /// Why its name in the target, or on the way back, is another; "" if it is the same.
  std::string renamed;
  /// True if it comes back without the struct that holds it, under that struct's name.
  bool taken_out = false;
};

/// New names of columns and their members, by their paths in the source.
struct Names {
  /// In the target.
  const hub::Renames& there;
  /// In the source's own system, which may be unable to hold the names of a file.
  const hub::Renames& own;
};

/// Appends a node and its descendants, parents first.
void add_nodes(const Node& node, const Names& names, std::vector<Node>* out);

/// Returns whether the target gives the type of a node back.
hub::TypeKept type_kept(System from, System to, const Node& node);

}  // namespace xwalk::crosswalk
