#pragma once

#include <string>

#include "xwalk/cli/row_options.h"
#include "xwalk/cli/session.h"

namespace xwalk::cli {

/// Holds the schema of a data file, or of a schema file in any form, against every rule of its
/// system, and prints what breaks one or is worth a note. A schema that nothing can be mapped from
/// is read all the same. Returns true when no rule is broken. Throws Error.
bool check_schema_rules(const std::string& path, const RowOptions& options, Session& session);

}  // namespace xwalk::cli
