#pragma once

#include <memory>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/type.h"
#include "xwalk/io/split.h"

namespace xwalk::io {

/// Parses a path as xwalk prints it: `a`, `a.b`, `"odd name"`, `orders.items[].price`,
/// `m{value}.x`. Nothing can be selected below alternatives and single items, whose paths are
/// refused. Throws Error (Usage) with the place.
Path parse_selection(std::string_view text);

/// Parses `old=new`: a path, and the name that its last step is to get, quoted or not. Throws Error
/// (Usage) with the place.
crosswalk::RenameOption parse_rename(std::string_view text);

/// Returns the schema with only the wanted paths: columns in the order they are first named, and
/// members of structs in the order of the schema. A path that ends at a struct takes all of it; a
/// map comes whole. Throws Error (Usage) for a path that is not there, with the closest name.
hub::Schema select(const hub::Schema& schema, const std::vector<Path>& paths);

/// Returns the paths as an engine is told them; see engine_abi.h.
std::string engine_columns(const std::vector<Path>& paths);

}  // namespace xwalk::io
