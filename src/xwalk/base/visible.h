#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns the text as it may be shown to a person: with C escapes for control characters and bytes
/// that are not UTF-8, and `\u{202E}` for characters that turn the direction of writing or break
/// lines. Quotes and backslashes stay.
std::string visible(std::string_view text);

/// Returns JSON with `\u202e` for such characters, of which JSON itself only asks that those below
/// a space are escaped.
std::string visible_json(std::string_view json);

/// Appends text, which must be UTF-8, as a string of such JSON.
void append_visible_json(std::string_view text, std::string* out);

}  // namespace xwalk
