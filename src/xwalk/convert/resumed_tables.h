#pragma once

#include <string>
#include <vector>

#include "xwalk/convert/conversion.h"
#include "xwalk/convert/convert.h"

namespace xwalk::io {

/// Converts files to a folder of as many, `options.jobs` at a time. Each output gets its name when
/// it is complete, and a record below `kRecordFolder`. A later run with the same options keeps an
/// output if its record is complete, and neither the inputs nor the output have changed since. An
/// output that a killed run has left is written again. Files that no record names are refused, or
/// replaced with Overwrite.
///
/// A file that fails does not stop the others. `options.on_failure` gets its error; without the
/// function, the first error is thrown at the end. Progress is reported in the caller's thread.
/// Throws Error: Usage for options that are about one output, for rejected rows that do not go to a
/// folder, and for a folder in a store.
std::vector<Converted> resume_tables(std::vector<OutputOf> outputs, const Location& folder,
                                     const ConvertOptions& options);

}  // namespace xwalk::io
