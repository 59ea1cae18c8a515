#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns how many columns a terminal gives to a UTF-8 text, by the width of its grapheme
/// clusters: two for wide East Asian characters and emoji, none for combining marks. Escape
/// sequences of colours are not counted; a byte that is not UTF-8 counts one.
int display_width(std::string_view text);

/// Returns the text cut to a width, with an ellipsis where something is missing; a grapheme cluster
/// is never broken. Text with colours must not be cut.
std::string clip(std::string_view text, int width);

}  // namespace xwalk
