#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xwalk::hub {

/// Letters that a reader folds when it compares names: ASCII as DuckDB does, or all with two cases
/// as Spark does.
enum class Letters : uint8_t { Ascii, All };

/// Returns a name in UTF-8 in lower case.
std::string in_lower_case(std::string_view name, Letters letters);

/// Returns a word with its ASCII letters in upper case.
std::string in_upper_case(std::string_view word);

}  // namespace xwalk::hub
