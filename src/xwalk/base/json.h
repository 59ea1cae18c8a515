#pragma once

#include <string_view>

namespace xwalk {

/// Returns true if the bytes are one JSON text in UTF-8 by the grammar of RFC 8259, which limits
/// neither how large a number is, nor what `\u` escapes name, nor how deep values nest. Readers do:
/// that a text is JSON says not that each of them takes it.
bool is_valid_json(std::string_view bytes);

}  // namespace xwalk
