#pragma once

#include <string>

#include "xwalk/cli/row_options.h"
#include "xwalk/cli/session.h"
#include "xwalk/crosswalk/report.h"

namespace xwalk::cli {

/// Reads all rows of an input, casts them to the target and writes nothing: how many would be
/// refused, where and why, and for each path that may refuse values the smallest and the largest
/// one seen. Throws Error.
crosswalk::Rows read_rows(const std::string& path, const RowOptions& options,
                          crosswalk::System target, const crosswalk::PlanOptions& plan_options,
                          Session& session);

}  // namespace xwalk::cli
