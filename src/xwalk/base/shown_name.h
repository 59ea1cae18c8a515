#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns the name of an input or output as it may be shown: a URL without its password and
/// without its query, which may be a credential. A query of http becomes `?…`; a `?` after another
/// scheme may be part of a pattern, and stays unless a signature or a key follows it. A name that a
/// CI service would obey at the start of a line (is_ci_command()) gets `./` in front. Every name
/// that is printed passes through here.
std::string shown_name(std::string_view name);

/// Returns a text with such names in it, in the same way. A name in it ends at white space, or at
/// the quote that it begins after.
std::string shown_text(std::string_view text);

}  // namespace xwalk
