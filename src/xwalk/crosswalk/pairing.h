#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/names.h"
#include "xwalk/hub/type.h"

namespace xwalk::crosswalk {

/// How a node of one schema was paired with one of the other.
enum class PairedBy : uint8_t {
  None,      ///< it has no partner
  Name,      ///< the same name under paired parents
  Id,        ///< the same field id
  Position,  ///< the same place under paired parents
  Guess,     ///< the only one left of its type on either side
};
std::string_view to_string(PairedBy by);

/// One node of a schema: a column, a member, an item of a list, a key or value of a map, an
/// alternative of a union.
struct SchemaNode {
  hub::Field field;
  Path path;
  /// The last step of the path.
  std::string label;
  /// Place among its siblings, from 0.
  size_t index = 0;
};

/// A line of two schemas side by side. At least one side is not empty.
struct PairedNode {
  std::optional<SchemaNode> left;
  std::optional<SchemaNode> right;
  PairedBy by = PairedBy::None;
  /// The order among siblings has changed, or the parent has.
  bool reordered = false;
  bool reparented = false;
  /// It has no partner, and neither has its parent.
  bool within_alone = false;
  /// Columns are at depth 0.
  int depth = 0;
};

struct PairingOptions {
  /// Field ids come before names where both schemas have them.
  bool ids = true;
  /// Names on the right of renamed nodes on the left. Nothing is paired by position.
  const hub::Renames* renames = nullptr;
  /// Nodes without a partner are paired if their type occurs exactly once on each side.
  bool guesses = false;
};

/// Lays two schemas side by side, parents before children, in the order of the right schema; nodes
/// that only the left has keep their place. Entries of a map, dictionaries and run-ends are not
/// separate nodes.
std::vector<PairedNode> pair_schemas(const hub::Schema& left, const hub::Schema& right,
                                     const PairingOptions& options = {});

}  // namespace xwalk::crosswalk
