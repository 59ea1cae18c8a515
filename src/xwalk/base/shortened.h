#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Shortens a text that may contain names of any length: words longer than 1,024 bytes and texts
/// longer than 16 KiB are cut with an ellipsis.
std::string shortened(std::string_view text);

/// Shortens the path of a column to 256 bytes.
std::string shortened_path(std::string_view path);

}  // namespace xwalk
