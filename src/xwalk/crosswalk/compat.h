#pragma once

#include <string>
#include <vector>

#include "xwalk/crosswalk/schema.h"
#include "xwalk/yt/compatibility.h"

namespace xwalk::crosswalk {

/// Which readers must be able to read whose data.
enum class CompatMode : uint8_t {
  Backward,  ///< readers of the new schema, data of the old
  Forward,   ///< readers of the old schema, data of the new
  Full,      ///< both
};

std::string_view to_string(CompatMode mode);
/// Returns the mode of a word. Throws Error (Usage).
CompatMode parse_compat_mode(std::string_view word);

struct CompatReason {
  yt::Compatibility answer = yt::Compatibility::FullyCompatible;
  /// In which direction: "backward" or "forward".
  std::string_view direction;
  std::string path;
  std::string reason;
};

/// An answer, the worst of its reasons; reasons come in schema order.
struct Compat {
  yt::Compatibility answer = yt::Compatibility::FullyCompatible;
  std::vector<CompatReason> reasons;
};

/// Determines whether data of one schema can be read as another. Two schemas of a system with its
/// own rules (YTsaurus, Iceberg) are checked by those. Others are checked by the domains of their
/// values, with columns matched by name. The result has every column and every reason.
Compat check_compat(const AnySchema& old_schema, const AnySchema& new_schema, CompatMode mode,
                    const yt::CompatibilityOptions& options = {});

/// The same with the hub schemas of the rows, which may be more precise, such as the length of
/// lists in a Parquet file.
Compat check_compat(const AnySchema& old_schema, const hub::Schema& old_rows,
                    const AnySchema& new_schema, const hub::Schema& new_rows, CompatMode mode,
                    const yt::CompatibilityOptions& options = {});

}  // namespace xwalk::crosswalk
