#pragma once

#include <memory>

#include "xwalk/plugin/stream.h"

namespace xwalk::plugin {

/// Opens a Parquet file for reading; tells the host's `info` what it says of itself. May throw.
arrow::Result<std::unique_ptr<Reader>> open_parquet(const ReadOptions& options,
                                                    std::shared_ptr<SourceOwner> source,
                                                    const XwalkEngineHost& host);

}  // namespace xwalk::plugin
