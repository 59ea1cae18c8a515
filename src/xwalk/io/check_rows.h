#pragma once

#include "xwalk/crosswalk/report.h"
#include "xwalk/io/convert.h"
#include "xwalk/io/open.h"
#include "xwalk/io/pipeline.h"

namespace xwalk::io {

/// Reads all rows of an input, casts them to the target and writes nothing: how many would be
/// refused, where and why, and for each path that may refuse values the smallest and the largest
/// one seen. The plan is the one of a conversion with these options. The input is to be opened with
/// `skip_bad_rows`; of `pipeline`, threads, progress and `cancelled` count. Throws Error.
crosswalk::Rows check_rows(Input input, crosswalk::System target, const ConvertOptions& options,
                           PipelineOptions pipeline);

}  // namespace xwalk::io
