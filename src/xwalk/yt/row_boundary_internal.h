#pragma once

#include <cstdint>

namespace xwalk::yt {

enum class Boundary : uint8_t { Found, Truncated, Lost };

/// Finds the end of the row (or whatever stands in its place) that begins at `p`, by its brackets
/// and strings alone, so that a row with wrong grammar or numbers inside can be left behind. Moves
/// `p` behind it, or, when Lost, to where brackets stop making sense.
Boundary find_row_end(const char*& p, const char* end);

}  // namespace xwalk::yt
