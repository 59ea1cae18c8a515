#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// The name of a column, a member or an alternative on the other side.
struct Rename {
  std::string name;
  /// Why the name was changed; "" if it was not.
  std::string why;
  /// The name was requested, so no other member is paired with it.
  bool requested = false;
};

/// New names by the text of the path that each has in the source. Of the members that have one path
/// because they have one name, the k-th gets the k-th.
using Renames = std::map<std::string, std::vector<Rename>, std::less<>>;

/// Returns the path of a child of a struct or of a union.
Path path_of_member(const Type& type, const Path& path, std::string_view name);

/// Returns the paths of all children of a struct or union. All are different: those with equal
/// names differ in the index of their step.
std::vector<Path> paths_of_members(const Type& type, const Path& path);

/// Returns the names that the members of a struct or of a union at `path` go by.
std::vector<Rename> names_of(const Type& type, const Path& path, const Renames& renames);

/// Pairs the members of two structs or unions by name, never by position: the k-th of a name goes
/// with the k-th. Members of `from` go by the names that `renames` gives them, else by their own.
/// Returns the place in `to` of each member of `from`; nothing for one without a partner.
std::vector<std::optional<size_t>> pair_members(const Type& from, const Type& to, const Path& path,
                                                const Renames& renames = {});

}  // namespace xwalk::hub
