#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "xwalk/base/path.h"

namespace xwalk::lance {

/// The names from a top-level column down to a field: {"user", "name"}.
using FieldPath = std::vector<std::string>;

/// Parses a path as the living system does: names joined by dots, a name in back-quotes where it
/// holds other characters, a doubled back-quote inside for one. Throws Error (Usage) with the
/// place.
FieldPath parse_field_path(std::string_view text);

/// Prints a path, with back-quotes around names that need them.
std::string print_field_path(const FieldPath& path);

/// Returns the path as reports write it.
Path path_of(const FieldPath& path);

}  // namespace xwalk::lance
