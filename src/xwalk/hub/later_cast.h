#pragma once

#include "xwalk/hub/cast.h"

namespace xwalk::hub {

/// Returns a cast of rows whose columns are cast as those of `like`. It is compiled when it first
/// runs.
CompiledCast compile_later(const CompiledCast& like, const Schema& from, const Schema& to,
                           Renames renames, Findings findings);

}  // namespace xwalk::hub
