#pragma once

#include <string>
#include <vector>

#include "xwalk/convert/conversion.h"
#include "xwalk/convert/convert.h"

namespace xwalk::io {

/// Converts tables, each by its own options, `options.jobs` at a time. Each output gets its name
/// when it is complete, and a record below `kRecordFolder` of its folder. A later run with the same
/// options keeps an output if its record is complete, and neither the inputs nor the output have
/// changed since. An output that a killed run has left is written again. Outputs that no record
/// names are refused, or replaced with Overwrite.
///
/// A table that fails does not stop the others. `options.on_failure` gets its error; without the
/// function, the first error is thrown at the end. Progress is reported in the caller's thread.
/// `options` gives the number of jobs and the callbacks. With `proves_all`, the proof also has the
/// outputs that an earlier run has verified, which are verified again.
std::vector<Converted> resume_tables(std::vector<OutputOf> outputs, const ConvertOptions& options,
                                     bool proves_all = false);

}  // namespace xwalk::io
