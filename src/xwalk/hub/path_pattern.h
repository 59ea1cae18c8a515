#pragma once

#include <string_view>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Tells whether a name has characters that stand for others: `*` for any number, `?` for one.
bool is_pattern(std::string_view name);

/// Tells whether a pattern stands for a name.
bool is_like(std::string_view name, std::string_view pattern);

/// Returns the paths that a path stands for in a schema, in its order, each once. If `patterns`, a
/// name is one where no column or member beside has it; a list's `[]` may be left out before a
/// name: `orders.price`. What lies below neither a struct nor a list is not looked for. Empty where
/// nothing fits.
std::vector<Path> paths_like(const Schema& schema, const Path& path, bool patterns = true);

}  // namespace xwalk::hub
