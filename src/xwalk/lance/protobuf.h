#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/lance/flat.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// Reads the flat list of Field messages. Parents must come before their children. A top-level
/// field has parent -1. Throws Error (Input) with the field's name.
Schema read_fields(const std::vector<std::string>& messages);
/// Writes it: depth-first, type always 0, explicit -1 parents, metadata in its order.
std::vector<std::string> write_fields(const Schema& schema);

/// Reads and writes the `lance.file.Schema` message: fields and metadata.
Schema read_protobuf(std::string_view bytes);
std::string write_protobuf(const Schema& schema);

/// Reads a schema without checking its links. Throws Error (Input) for what does not parse.
FlatSchema read_flat_protobuf(std::string_view bytes);

}  // namespace xwalk::lance
