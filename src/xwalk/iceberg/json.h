#pragma once

#include <string>
#include <string_view>

#include "xwalk/iceberg/type.h"

namespace xwalk::iceberg {

/// Reads the JSON form of a schema (specification, Appendix C, "Schemas"), or extracts the current
/// one from a table's metadata (`….metadata.json`), with the highest id that the table ever
/// assigned. Other members, which later versions may add, are skipped. Throws Error (Input) with
/// the path if it is not a schema.
Schema read_json(std::string_view text);

/// Writes it.
std::string write_json(const Schema& schema, int indent = 2);

}  // namespace xwalk::iceberg
