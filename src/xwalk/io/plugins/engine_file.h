#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xwalk::io {

/// Looks for a plugin or an engine program in the folder that the host names (`engine_folder.h`),
/// then where an installation keeps them: next to the running program or library; in its folder
/// `xwalk`; for a program in `bin`, in `xwalk` of the library folders next to that; for the Python
/// package, in the package xwalk_parquet next to it. A file counts only if no other user may have
/// written it: it and its folder belong to root, to this user or to the owner of the program, and
/// are not world-writable. Returns its real path, or "".
std::string find_engine_file(std::string_view file);

/// Looks for a program in the folders of PATH, as far as they are absolute and as above. Returns
/// its path, or "".
std::string find_program(std::string_view name);

/// Returns the environment for a program to start: this one, in which nothing leads to the current
/// folder. PATH has the folders that `find_program` looks into. Other variables that name places of
/// code have absolute ones only, and Python takes no code from the user's site if that place is
/// relative.
std::vector<std::string> engine_environment();

}  // namespace xwalk::io
