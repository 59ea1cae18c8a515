#pragma once

#include <string>
#include <string_view>

#include "xwalk/delta/type.h"

namespace xwalk::delta {

/// Reads the JSON form of a schema (protocol, "Schema Serialization Format"), or that of an action
/// `metaData` of a table's log, with its partition columns. Members that later versions may add
/// are skipped. Throws Error (Input) with the path if it is not a schema.
Schema read_json(std::string_view text);

/// Writes it.
std::string write_json(const Schema& schema, int indent = 2);

}  // namespace xwalk::delta
