#pragma once

#include <string>

#include "xwalk/base/error.h"

namespace xwalk::io {

/// Returns the place of a rejected row and the reason, in one line. `file` is the name of the input
/// if the error has none.
std::string rejection_text(const Error& error, const std::string& file = "");

}  // namespace xwalk::io
