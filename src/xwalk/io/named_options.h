#pragma once

#include <string_view>

#include "xwalk/io/convert.h"

namespace xwalk::io {

/// Reads a JSON object of options by their ids (hub/option.h), as the Python module and the C
/// interface take them: `{"format": "yson",
/// "on_error": "skip", "limit": 10}`. A null is as if it was not given, and so is empty text.
/// Throws Error (Usage) for what is no object, a name or a word that is not known, a value of
/// another type or out of range.
ConvertOptions read_named_options(std::string_view json);

}  // namespace xwalk::io
