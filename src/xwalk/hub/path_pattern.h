#pragma once

#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Returns true if a name has wildcards: `*` for any number of characters, `?` for one.
bool is_pattern(std::string_view name);

/// Returns true if a name matches a pattern.
bool is_like(std::string_view name, std::string_view pattern);

/// Returns the paths of a schema that match a path, in the schema's order, without duplicates. With
/// `patterns`, a name is a pattern unless a column or member has exactly that name. A list's `[]`
/// may be left out before a name: `orders.price`. Only members of structs and lists are searched.
/// Empty if nothing matches.
std::vector<Path> paths_like(const Schema& schema, const Path& path, bool patterns = true);

}  // namespace xwalk::hub
