#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns a text as it may be shown to a person, where names of any length may be in it: words
/// longer than 1,024 bytes and texts longer than 16 KiB are cut with an ellipsis.
std::string shortened(std::string_view text);

/// Returns the path of a column as it may be shown to a person: more than 256 bytes are cut.
std::string shortened_path(std::string_view path);

}  // namespace xwalk
