#pragma once

#include <chrono>
#include <string_view>

namespace xwalk::io {

/// Removes files that an engine moved from its scratch folder into a Lance dataset before it was
/// killed, so that no version names them. The engine lists them in the file `moved` before it moves
/// them, and holds a lock on that file until there is a version. The first line of the list must be
/// `mark`, which no other user knows. `scratch` is the descriptor of the scratch folder, next to
/// the dataset. Only plain files of this user are removed, which came after the list and have names
/// that Lance gives. Returns false if the lock is still held after `patience`. The scratch folder
/// must then stay.
bool clear_unversioned(int scratch, std::string_view mark, std::chrono::milliseconds patience);

}  // namespace xwalk::io
