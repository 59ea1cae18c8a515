#pragma once

#include <memory>
#include <string>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// Opens one file or dataset for writing, as `open_output` does.
std::unique_ptr<hub::BatchWriter> open_file_output(const std::string& path,
                                                   const OutputSchema& schema,
                                                   const OutputOptions& options);

/// The same for an output without a path, whose format the options name: rows of YSON, Skiff,
/// Parquet or Arrow, without a side file.
std::unique_ptr<hub::BatchWriter> open_output(std::unique_ptr<ByteSink> sink,
                                              const OutputSchema& schema,
                                              const OutputOptions& options);

}  // namespace xwalk::io
