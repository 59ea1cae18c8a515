#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace xwalk {

/// Splits a list of words at its commas, except those between double quotes, and between brackets
/// if there are any: `opening` and `closing` have the two of each pair at the same place. Empty
/// words are left out, but empty text is one empty word.
std::vector<std::string> split_list(std::string_view text, std::string_view opening = {},
                                    std::string_view closing = {});

}  // namespace xwalk
