#pragma once

#include <optional>
#include <string>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Checks the schema that `read_schema` reads, or one that breaks too many rules to be read,
/// against every rule of its system: `Module::validate`. Throws Error.
hub::Findings check_rules(const Location& path, std::optional<crosswalk::System> system,
                          const InputOptions& options = {});

}  // namespace xwalk::io
