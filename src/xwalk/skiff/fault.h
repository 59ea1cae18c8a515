#pragma once

#include <string_view>

#include "xwalk/base/error.h"
#include "xwalk/hub/type.h"
#include "xwalk/skiff/binding.h"
#include "xwalk/skiff/stream.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::skiff {

/// Returns the first fault of a row that was rejected: what was expected and found, the path, and
/// the byte counted from the first one after the table tag. `bytes` begin there and may go on after
/// the row. `shown` has the Arrow fields of the columns, first those of `table.columns`; `before`
/// knows the row before.
Error find_fault(const BoundTable& table, const hub::Schema& shown, const yt::ValueOptions& options,
                 const IndexTracker& before, std::string_view bytes);

}  // namespace xwalk::skiff
