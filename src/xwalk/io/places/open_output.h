#pragma once

#include <memory>
#include <string>

#include "xwalk/hub/batch.h"
#include "xwalk/io/formats/options.h"
#include "xwalk/io/places/file_output.h"

namespace xwalk::io {

/// Opens an output, where `output_place` finds nothing against it; rows that are added to others
/// must be of their schema. Nothing is under its name before `finish`. Throws Error.
std::unique_ptr<hub::BatchWriter> open_output(const std::string& path, const OutputSchema& schema,
                                              const OutputOptions& options = {});

}  // namespace xwalk::io
