#pragma once

#include <memory>
#include <string>
#include <vector>

#include "xwalk/hub/type.h"
#include "xwalk/io/split.h"

namespace xwalk::io {

/// One step down a path: into a member by name, into items, into a map's keys or values.
struct SelectionStep {
  enum class Kind : uint8_t { Field, Item, MapKey, MapValue };
  Kind kind = Kind::Field;
  std::string name;
};

using SelectionPath = std::vector<SelectionStep>;

/// Parses a path as xwalk prints it: `a`, `a.b`, `"odd name"`, `orders.items[].price`,
/// `m{value}.x`. Throws Error (Usage) with the place.
SelectionPath parse_selection(std::string_view text);

/// Returns the schema with only the wanted paths: columns in the order they are first named, and
/// members of structs in the order of the schema. A path that ends at a struct takes all of it; a
/// map comes whole. Throws Error (Usage) for a path that is not there, with the closest name.
hub::Schema select(const hub::Schema& schema, const std::vector<SelectionPath>& paths);

/// Returns the paths as an engine is told them; see engine_abi.h.
std::string engine_columns(const std::vector<SelectionPath>& paths);

}  // namespace xwalk::io
