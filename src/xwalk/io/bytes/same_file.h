#pragma once

#include <string>
#include <vector>

#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

/// Returns true if two names lead to one file or folder that exists, by links of either kind too.
bool is_same_file(const Location& a, const Location& b);

/// Returns true if a name leads to one of the files, or to a folder that holds one at any
/// depth; in a store, one whose name ends with a slash.
bool is_one_of(const Location& path, const Locations& files);

}  // namespace xwalk::io
