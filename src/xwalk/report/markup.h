#pragma once

#include <string>
#include <string_view>

namespace xwalk::report {

/// Returns the text as HTML and XML take it, in content and between double or single quotes. The
/// text is valid UTF-8 without control characters but line feeds (see `visible`).
std::string escape_markup(std::string_view text);
/// Appends it.
void append_markup(std::string_view text, std::string* out);

/// The same for a page that people read: names of any length are cut as `shortened` does.
std::string shown_markup(std::string_view text);
void append_shown_markup(std::string_view text, std::string* out);

}  // namespace xwalk::report
