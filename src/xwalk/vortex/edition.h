#pragma once

#include <span>
#include <string_view>

#include "xwalk/hub/finding.h"
#include "xwalk/vortex/type.h"

namespace xwalk::vortex {

/// Returns every edition that can be written, oldest first, as words: "core2025.05.0" …
std::span<const std::string_view> editions();
/// Reads one of them. Throws Error (Usage) listing them.
Edition parse_edition(std::string_view word);
/// Returns its word.
std::string_view to_string(Edition edition);

/// Returns what a file of an edition does not hold of a type (`spec.version`), each at its field:
/// Forbidden for types, Refused for nulls whose encoding came later.
hub::Findings lacking(const DType& root, Edition edition);

}  // namespace xwalk::vortex
