#pragma once

#include <string_view>

namespace xwalk::lance {

/// Returns true for JSON text whose value Lance's binary form preserves. It changes or refuses
/// repeated keys in an object, numbers beyond 64 bits and the digits of a double, and unpaired
/// surrogates. The order of keys, white space and the way a value is spelled are not kept in any
/// case.
bool keeps_json_text(std::string_view text);

}  // namespace xwalk::lance
