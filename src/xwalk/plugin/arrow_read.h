#pragma once

#include <memory>

#include "xwalk/plugin/stream.h"

namespace xwalk::plugin {

/// Opens an Arrow IPC file or stream for reading. May throw.
arrow::Result<std::unique_ptr<Reader>> open_arrow(const ReadOptions& options,
                                                  std::shared_ptr<SourceOwner> source);

}  // namespace xwalk::plugin
