#pragma once

#include <cstdint>

namespace xwalk::yt {

enum class Boundary : uint8_t { Found, Truncated, Lost };

/// Finds the end of the row (or other value) that begins at `p`, using only brackets and strings,
/// so that a row with invalid grammar or numbers inside can be skipped. Moves `p` past it, or, if
/// Lost, to the position where brackets stop matching.
Boundary find_row_end(const char*& p, const char* end);

}  // namespace xwalk::yt
