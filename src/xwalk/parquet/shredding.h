#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xwalk/base/path.h"
#include "xwalk/hub/type.h"
#include "xwalk/parquet/resolve.h"
#include "xwalk/parquet/type.h"

namespace xwalk::parquet {

/// Returns the VARIANT groups of resolved columns, at any depth, in the order of the schema.
std::vector<const Resolved*> variants_of(const std::vector<Resolved>& columns);

/// Returns the `typed_value` of a VARIANT whose values are shredded as the type of a field: a
/// struct as the fields of an object, a VARIANT as a part without typed_value. Throws Error (Usage)
/// with the path for a type that VARIANT does not have.
Node typed_value_of(const hub::Field& type, const Path& path);

/// Returns the group of a field or an item that is shredded.
Node shredded_part(std::string name, std::optional<Node> typed_value);

/// Returns the schema whose VARIANT groups with these numbers, in the order of `variants_of`, have
/// these typed values.
Schema with_typed_values(const Schema& schema, const std::map<size_t, Node>& typed_values);

}  // namespace xwalk::parquet
