#pragma once

#include <string_view>
#include <vector>

#include "xwalk/base/error.h"
#include "xwalk/io/bytes/list_dir.h"

namespace xwalk::io {

/// Thrown for a table of another system that keeps a list of its valid files, and for its parts.
class TableOfOther final : public Error {
 public:
  /// `list` is where the system keeps the list.
  TableOfOther(Error error, std::string_view system, std::string_view list);

  /// Returns the error of an output there.
  Error as_output() const;

 private:
  std::string_view system_;
  std::string_view list_;
};

/// Refuses a folder with these entries if it is a table of a system that keeps a list of its valid
/// files: Delta Lake, Iceberg, Hudi, Paimon. The other files hold rows that were deleted or
/// replaced. Throws TableOfOther (Usage).
void refuse_table(const Location& folder, const std::vector<Entry>& entries, Listing* listing);

/// Refuses a folder, or a file, within a table of another system. On a disk, all folders above are
/// looked at, and those above the place that links lead to; in a store, those that the parts of a
/// table are named like.
void refuse_part_of_table(const Location& path, Listing* listing);

}  // namespace xwalk::io
