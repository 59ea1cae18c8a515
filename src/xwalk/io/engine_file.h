#pragma once

#include <string>
#include <string_view>

namespace xwalk::io {

/// Looks for a plugin or an engine program in the folder that the host names (`engine_folder.h`),
/// then where an installation or a build keeps them: beside the
/// running program or library, in the folders above it in a build tree, in the package
/// xwalk_parquet beside the Python package, in the library folders of the same installation.
/// Returns its path, "" if it is in none of them.
std::string find_engine_file(std::string_view file);

}  // namespace xwalk::io
