#include "xwalk/cli/invocation.h"

#include <algorithm>
#include <string_view>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"

namespace xwalk::cli {
namespace {

std::string& kept() {
  static std::string line;
  return line;
}

/// Returns a text as one word of a shell.
std::string shell_word(const std::string& text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) {
    return is_ascii_alpha(c) || is_ascii_digit(c) ||
           std::string_view("_./,=:@%+-").find(c) != std::string_view::npos;
  });
  return is_plain && !text.empty() ? text : shell_quoted(text);
}

}  // namespace

void set_invocation(int argc, char** argv) {
  std::string line = "xwalk";
  for (int i = 1; i < argc; ++i) line += " " + shell_word(shown_name(argv[i]));
  kept() = line;
}

const std::string& invocation() { return kept(); }

}  // namespace xwalk::cli
