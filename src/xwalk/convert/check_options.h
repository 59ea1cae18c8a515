#pragma once

#include <set>
#include <span>

#include "xwalk/convert/convert_options.h"
#include "xwalk/hub/option.h"
#include "xwalk/io/formats/format.h"

// Options of a conversion that only some formats take.

namespace xwalk::io {

/// Refuses options of outputs that none of these formats takes. Options that are also for inputs
/// are left for the input to check. Throws Error (Usage).
void check_output_options(std::span<const Format> output, ConvertOptions* options);

/// Settles the same for rows of a format that are open: options that say how rows are opened are
/// refused as well, unless they were opened with them. Throws Error (Usage).
void check_open_options(Format input, const std::set<hub::Option>& opened_with, Format output,
                        ConvertOptions* options);

}  // namespace xwalk::io
