#pragma once

#include <string>
#include <string_view>

namespace xwalk {

class Error;

/// Returns the text of `Error::describe()` with another word than "error: " before the message. It
/// is "" for readers that name the error themselves, such as exceptions of other languages.
std::string text_of(const Error& error, std::string_view word);

}  // namespace xwalk
