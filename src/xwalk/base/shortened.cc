#include "xwalk/base/shortened.h"

#include <algorithm>

namespace xwalk {
namespace {

/// Longer than usual paths of files.
constexpr size_t kMostWord = 1024;
constexpr size_t kMostText = size_t{16} << 10;
constexpr size_t kMostPath = 256;

/// Returns the text, cut between two characters of UTF-8 if it is longer.
std::string cut(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

}  // namespace

std::string shortened(std::string_view text) {
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
