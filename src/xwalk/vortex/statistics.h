#pragma once

#include <string_view>

#include "xwalk/hub/facts.h"

namespace xwalk::vortex {

/// Returns the facts that a whole file states about its rows: their number and, for each column,
/// nulls, smallest and largest value if the file has them. Throws Error (Input) as `read_footer`.
/// Statistics that are invalid for the type are ignored.
hub::FileFacts facts_of(std::string_view file);

}  // namespace xwalk::vortex
