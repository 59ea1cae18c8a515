#pragma once

#include <string>
#include <string_view>

namespace xwalk::cli {

/// Throws Error (Usage) with its line for a text of TOML whose tables and lists are nested deeper
/// than those of a project file are: by brackets, by dots in keys and headers, or by both. The
/// parser limits brackets alone, and would use the stack for each dot.
void check_nesting(std::string_view text, const std::string& file);

}  // namespace xwalk::cli
