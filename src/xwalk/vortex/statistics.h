#pragma once

#include <string_view>

#include "xwalk/hub/facts.h"

namespace xwalk::vortex {

/// Returns what a whole file's bytes say of its rows: how many there are, and of each column nulls,
/// smallest and largest value where the file keeps them. Throws Error (Input) as `read_footer`;
/// statistics that are no values of the type are none.
hub::FileFacts facts_of(std::string_view file);

}  // namespace xwalk::vortex
