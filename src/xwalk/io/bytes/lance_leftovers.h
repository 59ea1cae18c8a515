#pragma once

#include <chrono>
#include <filesystem>

namespace xwalk::io {

/// Removes the files that an engine has moved from its scratch folder into a Lance dataset, and
/// that no version names because it was killed before. The engine lists them in the file `moved`
/// before it moves them, and holds a lock on that file until there is a version. Returns false
/// where it still does so after `patience`: then the scratch folder is to stay.
bool clear_unversioned(const std::filesystem::path& scratch, std::chrono::milliseconds patience);

}  // namespace xwalk::io
