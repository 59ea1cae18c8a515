#pragma once

#include <memory>

#include "xwalk/plugin/stream.h"

namespace xwalk::plugin {

/// Opens a Parquet file for reading. May throw.
arrow::Result<std::unique_ptr<Reader>> open_parquet(const ReadOptions& options,
                                                    std::shared_ptr<SourceOwner> source);

}  // namespace xwalk::plugin
