#pragma once

#include <memory>

#include "xwalk/base/byte_stream.h"
#include "xwalk/hub/batch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {

/// Opens one file or dataset for writing, as `open_output` does.
std::unique_ptr<hub::BatchWriter> open_file_output(const Destination& output, const WritePlan& plan,
                                                   const OutputOptions& options);

/// The same for an output without a path, whose format the options name: rows of YSON, Skiff,
/// Parquet or Arrow, without a schema file.
std::unique_ptr<hub::BatchWriter> open_output(std::unique_ptr<ByteSink> sink, const WritePlan& plan,
                                              const OutputOptions& options);

}  // namespace xwalk::io
