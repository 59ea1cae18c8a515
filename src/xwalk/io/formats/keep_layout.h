#pragma once

#include "xwalk/crosswalk/plan.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/storing.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Returns how a file stores its rows; nothing for bytes that cannot be read.
std::optional<hub::Storing> layout_of(Format format, const Location& path, Source& source);

/// Returns how an input stores its rows, by the columns of the output, as far as the rows that come
/// are stored alike; adds notes about properties that are not kept: an order that the output does
/// not record, Bloom filters.
hub::Storing stored_alike(const FileNotes& input, const crosswalk::Plan& plan,
                          const OutputOptions& options, hub::Findings* notes);

}  // namespace xwalk::io
