#pragma once

#include <chrono>
#include <filesystem>

namespace xwalk::io {

/// Removes files that an engine moved from its scratch folder into a Lance dataset before it was
/// killed, so that no version names them. The engine lists them in the file `moved` before it moves
/// them, and holds a lock on that file until there is a version. Returns false if the lock is still
/// held after `patience`. The scratch folder must then stay.
bool clear_unversioned(const std::filesystem::path& scratch, std::chrono::milliseconds patience);

}  // namespace xwalk::io
