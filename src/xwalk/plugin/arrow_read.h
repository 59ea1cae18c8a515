#pragma once

#include <memory>

#include "xwalk/plugin/stream.h"

namespace xwalk::plugin {

/// Opens an Arrow IPC file or stream for reading; tells the host's `info` what it says of itself.
/// May throw.
arrow::Result<std::unique_ptr<Reader>> open_arrow(const ReadOptions& options,
                                                  std::shared_ptr<SourceOwner> source,
                                                  const XwalkEngineHost& host);

}  // namespace xwalk::plugin
