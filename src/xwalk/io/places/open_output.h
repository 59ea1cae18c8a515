#pragma once

#include <memory>
#include <string>

#include "xwalk/hub/batch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/file_output.h"
#include "xwalk/io/places/output_place.h"

namespace xwalk::io {

/// Opens an output that `locate` found with these options; rows that are added to others must have
/// their schema. Nothing has its name before `finish`. Throws Error.
std::unique_ptr<hub::BatchWriter> open_output(const Destination& output, const WritePlan& plan,
                                              const OutputOptions& options);

/// Calls `locate` first, then does the same.
std::unique_ptr<hub::BatchWriter> open_output(const Location& path, const WritePlan& plan,
                                              OutputOptions options = {});

}  // namespace xwalk::io
