#pragma once

#include <memory>

#include "xwalk/plugin/writer.h"

namespace xwalk::plugin {

/// Opens a Parquet file for writing. May throw.
arrow::Result<std::unique_ptr<Writer>> create_parquet(
    const WriteOptions& options, const std::shared_ptr<arrow::Schema>& schema,
    std::shared_ptr<arrow::io::OutputStream> sink);

}  // namespace xwalk::plugin
