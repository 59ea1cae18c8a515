#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Escapes the text so that it is safe to print: C escapes for control characters and bytes that
/// are not UTF-8, `\u{202E}` for bidirectional controls and line separators, `\x5B` for the bracket
/// of ci_command(). Quotes and backslashes stay.
std::string visible(std::string_view text);

/// Returns the position of the bracket of the first text that a CI service obeys wherever it is in
/// a line of a log, such as `##vso[task.setvariable …]` or `##[add-mask]x`; npos without one.
size_t ci_command(std::string_view text);

/// Returns true if a CI service would obey a line that begins with this text, such as
/// `::add-mask::x`, instead of printing it.
bool is_ci_command(std::string_view line);

/// Returns JSON in which these characters are escaped too, as `\u202e`. JSON itself requires that
/// only for U+0000 to U+001F.
std::string visible_json(std::string_view json);

/// Appends text, which must be UTF-8, as a JSON string with the same escapes.
void append_visible_json(std::string_view text, std::string* out);

}  // namespace xwalk
