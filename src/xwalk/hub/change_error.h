#pragma once

#include "xwalk/base/error.h"
#include "xwalk/hub/evolution.h"

namespace xwalk::hub {

/// Returns an error about a change of a schema, with the option of `xwalk evolve` before it:
/// `--add: expected PATH=TYPE, found "y"`. An error with a path already says which change it is
/// about, and is returned as it is.
Error in_change(const SchemaChange& change, const Error& error);

}  // namespace xwalk::hub
