#include "xwalk/base/shortened.h"

#include <algorithm>

#include "xwalk/base/text.h"

namespace xwalk {
namespace {

/// Longer than usual paths of files.
constexpr size_t kMostWord = 1024;
constexpr size_t kMostText = size_t{16} << 10;
constexpr size_t kMostPath = 256;

/// Returns the text, cut with an ellipsis if it is longer.
std::string cut(std::string_view text, size_t most) {
  return text.size() <= most ? std::string(text) : cut_utf8(text, most) + "…";
}

}  // namespace

std::string shortened(std::string_view text) {
  if (text.size() <= kMostWord) return std::string(text);
  constexpr std::string_view kBlank = " \t\r\n";
  std::string out;
  while (!text.empty() && out.size() <= kMostText) {
    const size_t word = std::min(text.find_first_of(kBlank), text.size());
    const size_t end = std::min(text.find_first_not_of(kBlank, word), text.size());
    out += cut(text.substr(0, word), kMostWord);
    out += text.substr(word, std::min(end - word, kMostText));
    text.remove_prefix(end);
  }
  return cut(out, kMostText);
}

std::string shortened_path(std::string_view path) { return cut(path, kMostPath); }

}  // namespace xwalk
