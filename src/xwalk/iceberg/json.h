#pragma once

#include <string>
#include <string_view>

#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Reads the JSON form of a schema (specification, Appendix C, "Schemas"), or takes the current one
/// out of a table's metadata (`….metadata.json`), with the highest id that the table ever gave.
/// Other members, which later versions may bring, are passed over. Throws Error (Input) with
/// the path for what is none.
Schema read_json(std::string_view text);

/// Writes it.
std::string write_json(const Schema& schema, int indent = 2);

}  // namespace xwalk::iceberg
