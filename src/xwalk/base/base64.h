#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns bytes in base64 with padding (RFC 4648, section 4).
std::string to_base64(std::string_view bytes);
/// Parses base64 with padding. Throws Error (Input) on another character or a wrong length.
std::string from_base64(std::string_view text);

}  // namespace xwalk
