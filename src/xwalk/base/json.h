#pragma once

#include <string_view>

namespace xwalk {

/// Returns true if the bytes are one JSON text in UTF-8 by the grammar of RFC 8259, which limits
/// neither how large a number is, nor what `\u` escapes name, nor how deep values nest. Readers do:
/// a text that is JSON may still be refused by one of them.
bool is_valid_json(std::string_view bytes);

}  // namespace xwalk
