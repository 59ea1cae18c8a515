#pragma once

#include <memory>

#include "xwalk/plugin/writer.h"

namespace xwalk::plugin {

/// Opens an Arrow IPC file or stream for writing. May throw.
arrow::Result<std::unique_ptr<Writer>> create_arrow(const WriteOptions& options,
                                                    const std::shared_ptr<arrow::Schema>& schema,
                                                    std::shared_ptr<arrow::io::OutputStream> sink);

}  // namespace xwalk::plugin
