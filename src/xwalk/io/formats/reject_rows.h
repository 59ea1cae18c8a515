#pragma once

#include <string>
#include <vector>

#include "xwalk/io/formats/reject_form.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::io {

/// Prepares reading a file of rejected rows as the rows that were rejected, which have one schema.
/// Sets the format and the schema of the input. Throws Error.
OpenFile open_rejected(const Location& path, const std::vector<RejectForm>& forms,
                       const InputOptions& options, Input* input);

}  // namespace xwalk::io
