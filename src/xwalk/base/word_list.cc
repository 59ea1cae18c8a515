#include "xwalk/base/word_list.h"

#include <cstddef>

namespace xwalk {

std::vector<std::string> split_list(std::string_view text, std::string_view opening,
                                    std::string_view closing) {
  std::vector<std::string> out;
  std::string word;
  bool is_quoted = false;
  size_t depth = 0;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && opening.find(c) != std::string_view::npos) ++depth;
    if (!is_quoted && depth > 0 && closing.find(c) != std::string_view::npos) --depth;
    if (c != ',' || is_quoted || depth > 0) {
      word += c;
      continue;
    }
    if (!word.empty()) out.push_back(word);
    word.clear();
  }
  if (!word.empty() || text.empty()) out.push_back(word);
  return out;
}

}  // namespace xwalk
