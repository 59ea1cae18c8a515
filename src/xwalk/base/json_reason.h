#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns the text of an exception of the JSON library without the name of the exception:
/// `[json.exception.type_error.302] type must be string, but is number`.
inline std::string json_reason(std::string_view what) {
  const size_t end = what.starts_with("[json.exception.") ? what.find("] ") : what.npos;
  return std::string(end == what.npos ? what : what.substr(end + 2));
}

}  // namespace xwalk
