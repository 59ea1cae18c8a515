#pragma once

#include <vector>

#include "xwalk/io/bytes/list_dir.h"

namespace xwalk::io {

/// Refuses a folder with these entries if it is a table of a system that keeps a list of its valid
/// files: Delta Lake, Iceberg, Hudi, Paimon. The other files hold rows that were deleted or
/// replaced. Throws Error (Usage).
void refuse_table(const Location& folder, const std::vector<Entry>& entries, Listing* listing);

/// Refuses a folder, or a file, within a table of another system. On a disk, all folders above are
/// looked at; in a store, those that the parts of a table are named like.
void refuse_part_of_table(const Location& path, Listing* listing);

}  // namespace xwalk::io
