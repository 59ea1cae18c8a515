#pragma once

#include <string>

#include <nlohmann/json.hpp>  // IWYU pragma: export

// The parser and the printer of documents are compiled once, in nlohmann_json.cc: they were a fifth
// of the time of each source that has documents. Sources include this instead of the library's
// header.
// NOLINTBEGIN(bugprone-macro-parentheses): a keyword and the name of a type.
#define XWALK_JSON_TEMPLATES(linkage, Json)                                         \
  linkage template class nlohmann::detail::serializer<Json>;                        \
  linkage template class nlohmann::detail::lexer<                                   \
      Json, nlohmann::detail::iterator_input_adapter<const char*>>;                 \
  linkage template class nlohmann::detail::parser<                                  \
      Json, nlohmann::detail::iterator_input_adapter<const char*>>;                 \
  linkage template class nlohmann::detail::lexer<                                   \
      Json, nlohmann::detail::iterator_input_adapter<std::string::const_iterator>>; \
  linkage template class nlohmann::detail::parser<                                  \
      Json, nlohmann::detail::iterator_input_adapter<std::string::const_iterator>>;
// NOLINTEND(bugprone-macro-parentheses)

XWALK_JSON_TEMPLATES(extern, nlohmann::json)
XWALK_JSON_TEMPLATES(extern, nlohmann::ordered_json)
