#pragma once

#include <string>
#include <string_view>

#include "xwalk/base/path.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/type.h"

namespace xwalk::hub {

/// Throws Error (Unsupported) for a part of a schema that a system cannot hold.
[[noreturn]] void refuse(const Path& path, std::string message, std::string hint = {});

/// Throws Error (Unsupported): the system, by its display name, has no type for the field's type.
[[noreturn]] void refuse_type(std::string_view system, const Field& field, const Path& path);

/// Throws Error (Unsupported) if a type has more types around it than a system allows.
void check_nesting(int depth, int most, const Path& path);

/// Returns the finding about an annotation that does not describe its column.
Finding stale_annotation(const Path& path, std::string_view annotation);

}  // namespace xwalk::hub
