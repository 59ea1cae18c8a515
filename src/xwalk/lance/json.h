#pragma once

#include <string>
#include <string_view>

#include "xwalk/lance/flat.h"
#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// Reads and writes the JSON form: {"fields":[{"id":0,"name":"a",…,"parent_id":-1}],"metadata":{}}.
/// Reading takes `children` too. Bytes that are not UTF-8 are {"hex": …}.
Schema read_json(std::string_view text);
std::string write_json(const Schema& schema, int indent = 2);

/// Reads a schema without checking its links. Throws Error (Input) for what does not parse.
FlatSchema parse_flat_json(std::string_view text);

}  // namespace xwalk::lance
